import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Format, OptionsSchema, Options as OptionValues } from '../../client/records.ts'
import { CommandError, readFlags } from '../../kernel/admin/command.ts'
import { knownFormat, splitName } from '../formats.ts'
import { parserOf, readOptions } from './flags.ts'

/** The flags that every conversion has. */
export const FLAGS = {
  to: { type: 'string' },
  from: { type: 'string' },
  output: { type: 'string', short: 'o' },
  recursive: { type: 'boolean', short: 'r' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
} as const

/** What a command line asks for. */
export interface ConvertRequest {
  /** Paths, URLs, or `-` for standard input. */
  sources: readonly string[]
  to: string
  from: string | undefined
  /** A file or a folder; `-` is standard output. Undefined: beside each source. */
  output: string | undefined
  recursive: boolean
  overwrite: boolean
  json: boolean
  options: OptionValues
}

/** What the service knows. Asked only when it is needed. */
export interface LookUp {
  formats(): Promise<readonly Format[]>
  /** The options of a target; undefined if nothing becomes it. */
  optionsOf(target: string): Promise<OptionsSchema | undefined>
}

/** Reads a command line. @throws CommandError for wrong use. */
export async function readRequest(args: string[], service: LookUp): Promise<ConvertRequest> {
  const more = await flagsOfTarget(args, service)
  const options = { ...(more && parserOf(more)), ...FLAGS }
  const { values, positionals } = readFlags({ args, options, allowPositionals: true, allowNegative: true })
  const { to, from, output, recursive = false, yes = false, json = false } = values as Own
  const named = to === undefined && output === undefined && positionals.length === 2
  const sources = named ? positionals.slice(0, 1) : positionals
  const target = named ? positionals[1] : output
  if (sources.length === 0) throw new CommandError('Name a file to convert; - is standard input.')
  const format = to ?? (await formatOfTarget(target, sources, service))
  const chosen = more ? readOptions(more, values) : {}
  const isPrinted = target === '-' || (target === undefined && sources.includes('-'))
  if (json && isPrinted) throw new CommandError('--json: the result goes to standard output; name a file with -o.')
  if (target === undefined && isPrinted && process.stdout.isTTY) {
    throw new CommandError('The result would go to the terminal; name a file with -o, or write -o - if you want that.')
  }
  return { sources, to: format, from, output: target, recursive, overwrite: yes, json, options: chosen }
}

type Own = { to?: string; from?: string; output?: string; recursive?: boolean; yes?: boolean; json?: boolean }

/** The target that the name of the result says. */
async function formatOfTarget(target: string | undefined, sources: readonly string[], service: LookUp) {
  const format = target === undefined || target.endsWith('/') ? '' : await endingOf(target, service)
  if (format && sources.length === 1) return format
  const example = `${sources.slice(0, 2).join(' ')} --to pdf`
  throw new CommandError(`--to: missing; name the format of the results, such as athanor ${example}.`)
}

/** Only a name with several dots needs the list of formats: is `a.tar.gz` a `tar.gz`? */
async function endingOf(path: string, service: LookUp): Promise<string> {
  const name = basename(path)
  const formats = name.split('.').length > 2 ? await service.formats() : []
  return splitName(name, formats).ending.toLowerCase()
}

/** Returns the options of the target if a flag is none of ours. Which words are values depends on them. */
async function flagsOfTarget(args: string[], service: LookUp): Promise<OptionsSchema | undefined> {
  const found = parseArgs({ args, options: FLAGS, strict: false, tokens: true, allowNegative: true })
  const isOther = found.tokens.some((token) => token.kind === 'option' && !Object.hasOwn(FLAGS, token.name))
  if (!isOther) return undefined
  const formats = await service.formats()
  const { to, output } = found.values
  const words = [output, ...found.positionals.toReversed()].filter((word) => typeof word === 'string')
  const name = words.map((word) => splitName(basename(word), formats).ending).find((ending) => ending !== '')
  const target = typeof to === 'string' ? to : name
  return target === undefined ? undefined : service.optionsOf(knownFormat(formats, target, '--to').extension)
}
