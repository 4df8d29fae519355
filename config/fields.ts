/**
 * Builders for parts of schemas. They keep literal types, so that `FromSchema` can read them. `expected` completes
 * "must be" in messages.
 */
import { textOf } from './formats.ts'
import { spellBytes, spellDuration } from './units.ts'

export const KB = 1e3
export const MB = 1e6
export const SECOND = 1e3
export const MINUTE = 60e3
export const DAY = 86_400e3

/** A closed object. Unknown keys are refused. */
export const object = <const P extends object>(properties: P, description: string) => ({
  type: 'object' as const,
  expected: `an object with keys from ${Object.keys(properties).join(', ')}`,
  description,
  additionalProperties: false as const,
  properties,
})

/** An optional section. If it is missing, all its keys get their defaults. */
export const section = <const P extends object>(properties: P, description: string) => ({
  ...object(properties, description),
  default: {},
})

/** A size in bytes. The minimum catches numbers that were meant as megabytes. */
export const sizeField = (value: string, description: string, min = KB) => ({
  type: ['number', 'string'] as const,
  bytes: min,
  expected: `bytes${min > 1 ? ` (${spellBytes(min)} or more)` : ''}, or a size such as 25MB or 2GB`,
  default: value,
  description,
})

/** A waiting time of at most 24 days. Node's timers hold at most 2^31 - 1 ms; longer ones fire at once. */
export const durationField = (value: string | number, description: string, min = SECOND, max = 24 * DAY) => ({
  type: ['number', 'string'] as const,
  duration: min,
  max,
  expected: `seconds, or a duration such as 30s, 15m, 24h (${min ? `${spellDuration(min)} ` : ''}to ${spellDuration(max)})`,
  default: value,
  description,
})

/** A retention or validity period of at most 10 years. */
export const lifetimeField = (value: string, description: string, min = MINUTE) =>
  durationField(value, description, min, 3650 * DAY)

export const countField = (value: number, min: number, description: string) => ({
  type: 'integer' as const,
  minimum: min,
  maximum: 1_000_000,
  default: value,
  description,
})

type TypeName = 'integer' | 'number' | 'string' | 'object'
interface Field {
  type: TypeName | readonly TypeName[]
  default?: unknown
}
type OrNull<F extends Field> = readonly ((F['type'] extends readonly (infer Each)[] ? Each : F['type']) | 'null')[]

/** Makes a field accept null too. */
export const nullable = <const F extends Field>(field: F): Omit<F, 'type'> & { type: OrNull<F> } => ({
  ...field,
  type: [field.type, 'null'].flat() as never,
})

/** Makes a field accept null too, with null as its default. */
export const nullByDefault = <const F extends Field>(
  field: F,
): Omit<F, 'type' | 'default'> & { type: OrNull<F>; default: null } => ({
  ...(field as Omit<F, 'type' | 'default'>),
  type: nullable(field).type,
  default: null,
})

export const flagField = (value: boolean, description: string) => ({
  type: 'boolean' as const,
  default: value,
  description,
})

/** A list, empty by default. @param items Schema of each entry. */
export const listField = <const I extends object>(items: I, description: string) => ({
  type: 'array' as const,
  items,
  default: [],
  description,
})

export const textField = (description: string) => ({ type: 'string' as const, minLength: 1, description })

export const urlField = (description: string) => ({ ...textOf('http-url'), description })
