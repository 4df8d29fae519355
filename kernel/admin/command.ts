import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StartError } from '../errors.ts'
import { nearest } from '../nearest.ts'

/** One command of `npm run admin` or `athanor`. */
export interface AdminCommand {
  /** One line for the list of commands. */
  summary: string
  /** Text that `--help` prints below the summary. */
  usage: string
  /** Whether `run` gets `--help`, too. */
  hasOwnHelp?: boolean
  /** Resolves to the exit code. @throws StartError for a fault that the operator must correct. */
  run: (args: string[]) => Promise<number>
}

/** A command that cannot be carried out as written: exit code 2. */
export class CommandError extends StartError {
  override name = 'CommandError'
}

/** Checks a word of a command. @param what Name of the word, for messages. @throws CommandError. */
export function oneOf<T extends string>(what: string, given: string | undefined, allowed: readonly T[]): T {
  if (allowed.includes(given as T)) return given as T
  throw new CommandError(`${what}: ${given ? `"${given}" is not allowed` : 'missing'}; expected ${allowed.join(', ')}.`)
}

/** Does what `parseArgs` does. @throws CommandError that names the nearest option in place of an unknown one. */
export function readFlags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    const meant = unknown && nearest(unknown, known)
    throw new CommandError(
      unknown === undefined ? `${message}.` : `${unknown}: unknown option${meant ? `; did you mean ${meant}?` : '.'}`,
    )
  }
}

/**
 * Reads the words of a command whose only option is `--json`.
 *
 * @param words Allowed first words.
 * @throws CommandError for another first word or option.
 */
export function readWords<T extends string>(
  name: string,
  args: string[],
  words: readonly T[],
): { word: T; rest: string[]; json: boolean } {
  const { values, positionals } = readFlags({ args, options: JSON_ONLY, allowPositionals: true })
  const [first, ...rest] = positionals
  return { word: oneOf(name, first, words), rest, json: values.json }
}

/** Does the same for a command of one word. */
export function readWord<T extends string>(
  name: string,
  args: string[],
  words: readonly T[],
): { word: T; json: boolean } {
  const { word, rest, json } = readWords(name, args, words)
  refuseMore(name, rest)
  return { word, json }
}

/** Whether `--json` is given to a command whose only option it is. */
export const wantsJson = (args: string[]): boolean => readFlags({ args, options: JSON_ONLY }).values.json

/** @throws CommandError if there are more words than the command takes. */
export function refuseMore(name: string, [word]: readonly string[]): void {
  if (word !== undefined) throw new CommandError(`${name}: unexpected word "${word}".`)
}

const JSON_ONLY = { json: { type: 'boolean', default: false } } as const
