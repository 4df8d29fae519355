/** A JSON Schema (2020-12) of a response. */
export type ResponseSchema = Record<string, unknown>

export const text = (description: string, more: object = {}): ResponseSchema => ({
  type: 'string',
  description,
  ...more,
})
export const count = (description: string, more: object = {}): ResponseSchema => ({
  type: 'integer',
  description,
  ...more,
})
export const flag = (description: string): ResponseSchema => ({ type: 'boolean', description })
export const texts = (description: string): ResponseSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
})
export const reference = (name: string): ResponseSchema => ({ $ref: `#/components/schemas/${name}` })
export const list = (name: string): ResponseSchema => ({ type: 'array', items: reference(name) })
/** A time as the service writes it, of milliseconds since 1970: UTC, with milliseconds. */
export const timeOf = <At extends number | null>(at: At) =>
  (at === null ? null : new Date(Number(at)).toISOString()) as At extends null ? null : string

/** The schema of such a time. */
export const time = (description: string) => text(description, { format: 'date-time' })
export const orNull = ({ type, ...schema }: ResponseSchema): ResponseSchema => ({ ...schema, type: [type, 'null'] })
export const nextCursor = reference('NextCursor')

/**
 * An object that has all properties but the optional ones. It is not closed, since later versions may add properties.
 */
export function record(properties: Record<string, ResponseSchema>, optional: readonly string[] = []): ResponseSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', required, properties }
}
