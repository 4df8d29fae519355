import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Athanor } from '../../client/athanor.ts'
import { formatNamed } from '../../client/format-named.ts'
import type { Format, OptionsSchema } from '../../client/records.ts'
import { expectedOf, flagOf } from '../convert/flags.ts'
import { FLAGS } from '../convert/request.ts'
import { splitName } from '../formats.ts'
import { keptFormats, lookUp } from '../look-up.ts'
import { serviceUrl } from '../service.ts'

/** Milliseconds that the service has to answer while a person waits at the Tab key. */
const TIMEOUT_MS = 1500

/** A line that asks the shell for files, too. */
const FILES = ':files'

/**
 * Prints what may stand where the last word is: a word in each line, perhaps with a tab and a text about it.
 *
 * @param args The shell, and the words after `athanor`. Never throws: an error would be printed into the line.
 * @param commands Words that may stand first.
 */
export async function printCandidates([shell = '', ...words]: string[], commands: readonly string[]): Promise<void> {
  const typed = shell === 'bash' ? asGiven(words) : words
  const found = await candidates(typed, commands).catch(() => [])
  const current = typed.at(-1) ?? ''
  const fitting = found.filter((line) => line === FILES || line.startsWith(current))
  process.stdout.write(fitting.map((line) => `${line}\n`).join(''))
}

/** bash gives words as they were typed, and splits `--to=jpg` at the sign. */
function asGiven(words: readonly string[]): string[] {
  const plain = words.map((word) => word.replace(/\\(.)|["']/g, '$1'))
  const isSign = (index: number) => plain[index] === '=' && plain[index - 1]?.startsWith('--') === true
  return plain.flatMap((word, index) => (!isSign(index) ? [word] : index === plain.length - 1 ? [''] : []))
}

async function candidates(words: readonly string[], commands: readonly string[]): Promise<string[]> {
  const current = words.at(-1) ?? ''
  const [first, ...rest] = words
  if (words.length < 2) return current.startsWith('-') ? flags() : [...commands, FILES]
  if (first === 'completion') return words.length === 2 ? ['bash', 'zsh', 'fish'] : []
  if (first === 'ls' || first === 'options') {
    const formats = await knownFormats()
    const fitting = formats.filter(({ readable, writable }) => (first === 'ls' ? readable : writable))
    return current.startsWith('-') ? ['--json'] : fitting.map(({ extension }) => extension)
  }
  if (first === 'doctor' || first === 'admin') return []
  return forConversion(first === 'convert' ? rest : [...words])
}

const flags = (schema?: OptionsSchema) => [
  ...Object.keys(FLAGS).map((name) => `--${name}`),
  ...Object.entries(schema?.properties ?? {}).map(([name, { title }]) => `--${flagOf(name)}\t${title}`),
]

async function forConversion(words: readonly string[]): Promise<string[]> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const [, inline] = /^(--to|--from)=/.exec(current) ?? []
  const flag = inline ?? before.at(-1) ?? ''
  const { values, positionals } = parseArgs({ args: before, options: FLAGS, strict: false })
  const formats = await knownFormats()
  if (flag === '--to') return targets(positionals, formats).map((name) => (inline ? `--to=${name}` : name))
  if (flag === '--from') {
    const readable = formats.filter((format) => format.readable).map(({ extension }) => extension)
    return readable.map((name) => (inline ? `--from=${name}` : name))
  }
  if (flag === '-o' || flag === '--output') return [FILES]
  const to = values.to ?? (positionals.length === 2 ? splitName(basename(positionals[1] ?? ''), formats).ending : '')
  const isOfTarget = flag.startsWith('--') && !Object.hasOwn(FLAGS, flag.slice(2))
  if (current.startsWith('-')) return flags(await optionsOf(String(to)))
  if (isOfTarget) {
    const schema = await optionsOf(String(to))
    const facts = Object.entries(schema?.properties ?? {}).find(([name]) => `--${flagOf(name)}` === flag)?.[1]
    if (facts?.enum) return facts.enum.map(String)
    // The value of a number: there is nothing to offer.
    if (facts && facts.type !== 'boolean') return [`\t${expectedOf(facts)}`]
  }
  const [source] = positionals
  const isSecond = positionals.length === 1 && values.to === undefined && source !== undefined
  return isSecond ? [...resultNames(source, current, formats), FILES] : [FILES]
}

/** What all sources can become. */
function targets(sources: readonly string[], formats: readonly Format[]): string[] {
  const known = sources.flatMap((source) => formatNamed(formats, splitName(basename(source), formats).ending) ?? [])
  const all = formats.filter(({ writable }) => writable).map(({ extension }) => extension)
  return known.reduce((left, { targets }) => left.filter((name) => targets.includes(name)), all)
}

/** Names of results: what is typed up to its first dot, else the name of the source, with each target. */
function resultNames(source: string, current: string, formats: readonly Format[]): string[] {
  const folder = source.slice(0, source.length - basename(source).length)
  const own = `${folder}${splitName(basename(source), formats).stem}`
  const typed = current.slice(0, current.length - basename(current).length) + basename(current).split('.')[0]
  const stem = basename(current).includes('.') ? typed : own
  return targets([source], formats).map((target) => `${stem}.${target}`)
}

/** The formats of the service; those of its last answer if it has none now. */
async function knownFormats(): Promise<readonly Format[]> {
  const url = serviceUrl()
  if (url === undefined) return keptFormats(url)
  const { service } = ask(url)
  return service.formats().catch(() => keptFormats(url))
}

async function optionsOf(target: string): Promise<OptionsSchema | undefined> {
  const url = serviceUrl()
  return url && target ? ask(url).service.optionsOf(target) : undefined
}

function ask(url: string) {
  const apiKey = process.env.ATHANOR_API_KEY
  const athanor = new Athanor({ url, patience: TIMEOUT_MS, ...(apiKey && { apiKey }) })
  return { service: lookUp(athanor, url, AbortSignal.timeout(TIMEOUT_MS)) }
}
