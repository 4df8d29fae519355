/**
 * Writes the reference in docs/configuration.md from the schemas: `npm run docs`. A test checks that they match. The
 * text above the marker is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentSchema } from './environment.ts'
import { fileSchema } from './schema.ts'
import { spellBytes, spellDuration } from './units.ts'

/** The line above the generated part. */
export const MARKER = '<!-- Written by npm run docs from config/schema.ts and config/environment.ts: change those. -->'

/** The keywords that the schemas use. `bytes` and `duration` are minimum values. */
interface Schema {
  type?: string | readonly string[]
  description?: string
  default?: unknown
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  bytes?: number
  duration?: number
  max?: number
  pattern?: string
  format?: string
  expected?: string
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  required?: readonly string[]
}

/** Renders the generated part: variables, then the keys of the file by section. */
export function renderReference(): string {
  const sections = Object.entries(fileSchema.properties as Record<string, Schema>)
  const isSection = (schema: Schema) => schema.type === 'object' && childrenOf(schema).length > 0
  const single = sections.filter(([, schema]) => !isSection(schema))
  const grouped = sections.filter(([, schema]) => isSection(schema))
  return [
    '## Environment variables',
    '',
    ...table(['variable', 'type', 'bounds', 'meaning'], variables()),
    '',
    '## Keys of the file',
    '',
    ...keys(single.flatMap(([name, schema]) => rows(name, schema))),
    '',
    ...grouped.flatMap(([name, schema]) => [
      `### ${name}`,
      '',
      cell(schema.description),
      '',
      ...group(name, schema),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
}

function variables(): string[][] {
  const { properties, dependentRequired } = environmentSchema
  const needs: Readonly<Record<string, readonly string[]>> = dependentRequired
  return Object.entries(properties as Record<string, Schema>).map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema),
    boundsOf(schema),
    [cell(schema.description), ...(needs[name] ?? []).map((other) => `Needs \`${other}\`.`)].join(' '),
  ])
}

/** Renders a section's table. If all its keys have the same children, as plans do, each key becomes a column. */
function group(name: string, schema: Schema): string[] {
  const children = childrenOf(schema)
  const [[, first]] = children as [[string, Schema]]
  const names = childrenOf(first).map(([key]) => key)
  const alike = children.every(
    ([, child]) =>
      childrenOf(child)
        .map(([key]) => key)
        .join() === names.join(),
  )
  if (!names.length || !alike) return keys(children.flatMap(([key, child]) => rows(`${name}.${key}`, child)))
  const lines = childrenOf(first).map(([key, leaf]) => [
    `\`${key}\``,
    typeOf(leaf),
    boundsOf(leaf),
    ...children.map(([, child]) => value(child.properties?.[key]?.default)),
    cell(leaf.description),
  ])
  const columns = children.map(([key]) => `\`${name}.${key}\``)
  return table(['key', 'type', 'bounds', ...columns, 'meaning'], lines)
}

const keys = (lines: string[][]) => table(['key', 'type', 'default', 'bounds', 'meaning'], lines)

/** Returns the rows of a key and its children. Adjacent children of the same shape share the rows of the last one. */
function rows(path: string, schema: Schema): string[][] {
  const children = childrenOf(schema)
  const own = [`\`${path}\``, typeOf(schema), value(schema.default), boundsOf(schema), cell(schema.description)]
  const inner = children.flatMap(([key, child], at) => {
    const lines = rows(`${path}.${key}`, child)
    const next = children[at + 1]?.[1].properties
    return next && JSON.stringify(child.properties) === JSON.stringify(next) ? lines.slice(0, 1) : lines
  })
  return [own, ...inner]
}

function childrenOf({ items, properties = items?.properties ?? {}, additionalProperties }: Schema): [string, Schema][] {
  const any = typeof additionalProperties === 'object' ? [['<name>', additionalProperties] as [string, Schema]] : []
  return [...Object.entries(properties), ...any]
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((each) => `\`${each}\``).join(' or ')
  const types = [schema.type ?? []].flat()
  const plain = types.filter((type) => type !== 'null').map((type) => (type === 'array' ? 'list' : type))
  const name = schema.bytes ?? schema.duration
  const named = name === undefined ? plain.join(' or ') : schema.bytes === undefined ? 'duration' : 'size'
  return types.includes('null') ? `${named} or \`null\`` : named
}

function boundsOf(schema: Schema): string {
  const { bytes, duration, max, minimum, maximum, minLength, items, required } = schema
  const kind = textOf(schema) ?? (items && textOf(items)?.replace(/^/, 'each '))
  return [
    ...(bytes ? [`at least ${spellBytes(bytes)}`] : []),
    ...(duration ? [`at least ${spellDuration(duration)}`] : []),
    ...(max === undefined ? [] : [`at most ${spellDuration(max)}`]),
    ...(minimum === undefined ? [] : [`${minimum} to ${maximum}`]),
    ...(minLength && minLength > 1 ? [`${minLength} characters or more`] : []),
    ...(schema.maxLength ? [`at most ${schema.maxLength} characters`] : []),
    ...(kind ? [cell(kind).replace(/[a-z0-9]+:\/\/[^\s,)]*/g, '`$&`')] : []),
    ...(required ? [`needs ${required.map((key) => `\`${key}\``).join(', ')}`] : []),
  ].join(', ')
}

/** What a text is, if it has a format or a pattern. */
const textOf = ({ pattern, format, expected }: Schema) => (pattern || format ? expected : undefined)

/** Formats a default as it is written in the file. */
const value = (given: unknown) =>
  given === undefined || JSON.stringify(given) === '{}' ? '' : `\`${JSON.stringify(given).replace(/^"|"$/g, '')}\``

/** Escapes text for a Markdown table. */
const cell = (text = '') => text.replace(/[|<]/g, '\\$&')

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const used = heads.map((_, at) => lines.some((line) => line[at]))
  const row = (cells: readonly string[]) => `| ${cells.filter((_, at) => used[at]).join(' | ')} |`
  return [row(heads), row(heads.map(() => '---')), ...lines.map(row)]
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../docs/configuration.md')
  const [before] = readFileSync(path, 'utf8').split(MARKER)
  writeFileSync(path, `${before}${MARKER}\n\n${renderReference()}\n`)
}
