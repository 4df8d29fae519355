import { StartError } from '../errors.ts'

/** One command of `npm run admin`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string
  /** What `--help` says beyond it. */
  usage: string
  /** Resolves to the exit code. @throws StartError for what the operator has to put right. */
  run: (args: string[]) => Promise<number>
}

/** A command that cannot be carried out as it was given: exit code 2. */
export class CommandError extends StartError {
  override name = 'CommandError'
}

/** One of the words that a place of the command allows. @throws CommandError. */
export function oneOf<T extends string>(what: string, given: string | undefined, allowed: readonly T[]): T {
  if (allowed.includes(given as T)) return given as T
  throw new CommandError(
    `${what}: ${given ? `"${given}" is not allowed` : 'missing'}; expected is ${allowed.join(', ')}.`,
  )
}
