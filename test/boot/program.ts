import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parse, stringify } from 'yaml'
import { until } from '../harness/until.ts'

export const root = join(import.meta.dirname, '../..')
/** Only the stub's formats, which need no other engine. */
const stub = join(root, 'test/stub-plugin')

export interface Program {
  pid: number
  /** Its output so far. */
  stdout(): string
  /** Resolves to its URL when it is ready. @throws if it ends before. */
  ready(): Promise<string>
  /** Resolves to its exit code and output when it ends. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
  kill(signal: NodeJS.Signals): void
}

/** A child process that ends with the test, with its output. */
export function run(
  t: Test,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  how: { cwd?: string; uid?: number; gid?: number } = {},
): Program {
  const [program, ...args] = command
  const child = spawn(program!, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
    ...how,
  })
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', (data) => (stdout += data))
  child.stderr!.on('data', (data) => (stderr += data))
  const closed = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return {
    pid: child.pid!,
    stdout: () => stdout,
    async ready() {
      const url = () => /^Athanor is ready on (http\S+)$/m.exec(stdout)?.[1]
      await until(() => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${stderr}`)
        return url() !== undefined
      }, 180_000)
      return url()!
    },
    ended: async () => ({ ...(await closed), stdout, stderr }),
    kill: (signal) => void child.kill(signal),
  }
}

/** Starts the service with the stub's formats on a free loopback port. `yaml` overrides its configuration. */
export function startStub(
  t: Test,
  dataDir: string,
  { env = {}, yaml = '' }: { env?: NodeJS.ProcessEnv; yaml?: string } = {},
): Program {
  const folder = mkdtempSync(join(tmpdir(), 'athanor-config-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'athanor.yaml')
  const own = { plugins: { [stub]: true }, sandbox: 'none', shutdown: { grace: '10s' } }
  writeFileSync(file, stringify({ ...own, ...parse(yaml) }))
  const all = { PORT: '0', DATA_DIR: dataDir, CONFIG_FILE: file, ...env }
  return run(t, [process.execPath, 'kernel/main.ts', '--only', stub], all)
}

/** Runs an administrator's command. */
export const admin = (t: Test, env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(t, [process.execPath, 'kernel/admin.ts', ...args], env).ended()

/** Uploads a stub to a service and starts its conversion; resolves to the id. */
export async function startAt(base: string, options: object = {}, content = 'STUB\ntext'): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'a.stub')
  const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
  const body = JSON.stringify({ fileId: file.fileId, toFormat: 'bust', options })
  const headers = { 'content-type': 'application/json' }
  const started = await fetch(`${base}/api/conversions`, { method: 'POST', headers, body })
  return ((await started.json()) as any).conversionId
}

/** Waits until a conversion ends; resolves to its record. */
export async function endAt(base: string, id: string): Promise<any> {
  return ((await (await fetch(`${base}/api/conversions/${id}?wait=30`)).json()) as any).conversion
}
