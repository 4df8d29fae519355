/** The operator's commands: `npm run admin -- <command>`. `--help` describes each one. */
import { version } from '../config/version.ts'
import type { AdminCommand } from './admin/command.ts'
import { StartError } from './errors.ts'
import { printError } from './terminal.ts'

/** Each command is loaded on demand, so that one command works where the imports of another fail. */
const commands: Record<string, () => Promise<AdminCommand>> = {
  user: async () => (await import('./admin/user.ts')).user,
  tool: async () => (await import('./admin/tool.ts')).tool,
  conversion: async () => (await import('./admin/conversion.ts')).conversion,
  audit: async () => (await import('./admin/audit.ts')).audit,
  config: async () => (await import('./admin/config.ts')).config,
  reload: async () => (await import('./admin/reload.ts')).reload,
  maintenance: async () => (await import('./admin/maintenance.ts')).maintenance,
  migrate: async () => (await import('./admin/migrate.ts')).migrate,
  files: async () => (await import('./admin/files.ts')).strayFiles,
  doctor: async () => (await import('./admin/doctor.ts')).doctor,
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const { message, stack } = error as Error
  const isOurs = error instanceof StartError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  printError(isOurs ? message : String(stack))
  process.exitCode = error instanceof StartError && error.name === 'StartError' ? 78 : 2
}

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log('Usage: npm run admin -- <command> [options]\n')
    for (const [name, load] of Object.entries(commands)) console.log(`  ${name.padEnd(12)} ${(await load()).summary}`)
    console.log('\nnpm run admin -- <command> --help describes a command.')
    return name === undefined ? 2 : 0
  }
  if (name === '--version') {
    console.log(`Athanor ${version}`)
    return 0
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    printError(`Unknown command "${name}". Commands are ${Object.keys(commands).join(', ')}.`)
    return 2
  }
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${command.summary}\n\n${command.usage}`)
    return 0
  }
  return command.run(args)
}
