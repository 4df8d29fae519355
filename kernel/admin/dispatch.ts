import { release } from '../../config/commit.ts'
import { StartError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { printError, printLine } from '../terminal.ts'
import type { AdminCommand } from './command.ts'

/** A program of several commands. */
export interface Program {
  /** What to type before the name of a command. */
  name: string
  /** Lines above the list of commands. */
  usage: string
  /** By name. Each is loaded on demand, so that one command works where the imports of another fail. */
  commands: Readonly<Record<string, () => Promise<AdminCommand>>>
}

/** Runs the command that the first argument names. Resolves to the exit code. @throws what the command throws. */
export async function dispatch({ name, usage, commands }: Program, [word, ...args]: string[]): Promise<number> {
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    print(`Usage: ${usage}\n`)
    for (const [command, load] of Object.entries(commands)) {
      printLine(`  ${command.padEnd(12)} ${(await load()).summary}`)
    }
    print(`\n${name} <command> --help describes a command.`)
    return word === undefined ? 2 : 0
  }
  if (word === '--version') {
    printLine(release)
    return 0
  }
  const load = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!load) {
    const names = Object.keys(commands)
    const meant = nearest(word, names)
    const hint = meant ? ` Did you mean "${meant}"?` : ''
    printError(`Unknown command "${word}".${hint} Commands are ${names.join(', ')}.`)
    return 2
  }
  const command = await load()
  if (!command.hasOwnHelp && (args.includes('--help') || args.includes('-h'))) {
    print(`${command.summary}\n\n${command.usage}`)
    return 0
  }
  return command.run(args)
}

const print = (text: string): void => text.split('\n').forEach(printLine)

/** Whether a person can correct the cause of an error by its message alone. Of others, the stack is printed. */
export const isForOperators = (error: unknown): error is Error =>
  error instanceof StartError || ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ?? false)
