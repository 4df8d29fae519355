import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AdminCommand } from '../kernel/admin/command.ts'

export const root: string = join(import.meta.dirname, '..')

/** Runs an operator's command as `npm run admin` does, with the terminal of this process. Resolves to its exit code. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const child = spawn('sh', [join(root, 'config/run.sh'), 'kernel/admin.ts', ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

/** `athanor admin <command>`: the operator's commands, from anywhere. */
export const admin: AdminCommand = {
  summary: "The operator's commands of the service in this installation; athanor admin lists them.",
  usage: 'Usage: athanor admin <command> [options]',
  hasOwnHelp: true,
  run: runAdmin,
}
