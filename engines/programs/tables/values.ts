import { isScalar, LineCounter, parseAllDocuments, type Scalar, stringify, visit, type YAMLMap } from 'yaml'
import { Refusal } from '../refusal/refusal.ts'
import { isNotation, numberIn } from './cell.ts'

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseJson = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Reads JSON; a value on each line as a list. Numbers that would lose digits keep their notation. */
export function readJson(text: string): unknown {
  const read = (part: string) =>
    parseJson(part, (_, value, { source }) => (typeof value === 'number' ? numberIn(source!) : value))
  try {
    return read(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim())
    if (lines.length < 2 || !lines.every((line) => /^\s*[[{]/.test(line))) throw error
    return lines.map(read)
  }
}

export const writeJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Most times that YAML can repeat parts of itself. */
const ALIASES = 100

/**
 * Reads YAML; several documents as a list. A number that JSON writes otherwise stays the text that it was: 007, +1,
 * 0x1f. So does 1e5, which is text in version 1.1.
 */
export function readYaml(text: string): unknown {
  // Keys `<<` take in what they refer to, as in version 1.1 and most programs.
  // Time for its own messages, and for its own comparison of keys, would grow with the square of the length.
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(text, { merge: true, prettyErrors: false, uniqueKeys: false, lineCounter })
  const invalid = (why: string, offset = 0) => {
    const { line, col } = lineCounter.linePos(offset)
    return new Refusal(`The YAML is invalid: ${why} at line ${line}, column ${col}`)
  }
  const values = [...documents].map((document) => {
    const [error] = document.errors
    if (error) throw invalid(error.message, error.pos[0])
    visit(document, {
      Map(_, node) {
        const repeated = repeatedKey(node)
        if (repeated) throw invalid('Map keys must be unique', repeated.range?.[0])
      },
      Scalar: (role, node) => keepNotation(node, role === 'key'),
    })
    return document.toJS({ maxAliasCount: ALIASES })
  })
  return values.length === 1 ? values[0] : values
}

/** The first key that a map has already (YAML 1.2.2, §3.2.1.1). */
function repeatedKey({ items }: YAMLMap): Scalar | undefined {
  const seen = new Set<unknown>()
  return items
    .map(({ key }) => key)
    .find((key): key is Scalar => {
      if (!isScalar(key)) return false
      const isSeen = seen.has(key.value)
      seen.add(key.value)
      return isSeen
    })
}

/** @param isKey Names are texts as they are written. */
function keepNotation(node: Scalar, isKey: boolean): void {
  const { source, value } = node
  if (typeof value !== 'number' || source === undefined) return
  node.value = !isKey && /^-?(0|[1-9]\d*)(\.\d+(e[+-]\d+)?)?$/i.test(source) ? numberIn(source) : source
}

/** Writes YAML. Numbers with a notation of their own are written in it. */
export const writeYaml = (value: unknown) =>
  stringify(value, {
    aliasDuplicateObjects: false,
    // Most readers take dates, times and `yes` for more than text, as in version 1.1.
    compat: 'yaml-1.1',
    customTags: (tags) => [
      {
        tag: 'tag:yaml.org,2002:float',
        default: true,
        test: /^$/,
        resolve: Number,
        identify: isNotation,
        stringify: (item) => (isScalar(item) && isNotation(item.value) ? item.value.rawJSON : ''),
      },
      ...tags,
    ],
  })
