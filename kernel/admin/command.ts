import { parseArgs } from 'node:util'
import { StartError } from '../errors.ts'

/** One command of `npm run admin`. */
export interface AdminCommand {
  /** One line for the list of commands. */
  summary: string
  /** What `--help` prints below it. */
  usage: string
  /** Resolves to the exit code. @throws StartError for what the operator must correct. */
  run: (args: string[]) => Promise<number>
}

/** A command that cannot be carried out as given: exit code 2. */
export class CommandError extends StartError {
  override name = 'CommandError'
}

/** Checks a word of a command. @param what Its place, for messages. @throws CommandError. */
export function oneOf<T extends string>(what: string, given: string | undefined, allowed: readonly T[]): T {
  if (allowed.includes(given as T)) return given as T
  throw new CommandError(`${what}: ${given ? `"${given}" is not allowed` : 'missing'}; expected ${allowed.join(', ')}.`)
}

/**
 * Reads the words of a command that knows no option but `--json`.
 *
 * @param words What the first one may be.
 * @throws CommandError for another one, and an error of `parseArgs` for another option.
 */
export function readWords<T extends string>(
  name: string,
  args: string[],
  words: readonly T[],
): { word: T; rest: string[]; json: boolean } {
  const { values, positionals } = parseArgs({ args, options: JSON_ONLY, allowPositionals: true })
  const [first, ...rest] = positionals
  return { word: oneOf(name, first, words), rest, json: values.json }
}

/** As `readWords`, of a command that is one word. */
export function readWord<T extends string>(
  name: string,
  args: string[],
  words: readonly T[],
): { word: T; json: boolean } {
  const { word, rest, json } = readWords(name, args, words)
  refuseMore(name, rest)
  return { word, json }
}

/** Whether `--json` is given to a command that knows nothing else. */
export const wantsJson = (args: string[]): boolean => parseArgs({ args, options: JSON_ONLY }).values.json

/** @throws CommandError for words that a command has no use for. */
export function refuseMore(name: string, [word]: readonly string[]): void {
  if (word !== undefined) throw new CommandError(`${name}: "${word}" is one word too many.`)
}

const JSON_ONLY = { json: { type: 'boolean', default: false } } as const
