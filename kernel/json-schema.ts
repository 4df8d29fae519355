/** JSON Schema (2020-12): the one place that compiles schemas, and that describes their errors to people. */
import { Ajv2020, type ErrorObject, type KeywordDefinition, type Options } from 'ajv/dist/2020.js'
import { nearest } from './nearest.ts'

export type { ErrorObject }

/** The keywords that descriptions read. */
interface Schema {
  /** Completes "must be" in a message, in place of what the other keywords say. Only our own schemas have it. */
  expected?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
}

/** What a compiler accepts and does. */
export interface CompilerOptions {
  /** Reports all errors, not only the first. Not for requests: a small body can have a million errors. */
  allErrors?: boolean
  /** Fills in defaults, in place. */
  useDefaults?: boolean
  /** Schemas of plugin authors are validated first, and may have unknown keywords. */
  foreign?: boolean
  /** Formats, each with its check. */
  formats?: Readonly<Record<string, (text: string) => boolean>>
  /** Keywords beyond the standard. */
  keywords?: readonly (string | KeywordDefinition)[]
}

/** Validates a value. Returns its errors: none if the schema accepts it. */
export type Validate = (value: unknown) => readonly ErrorObject[]

/**
 * Creates a compiler of schemas. It compiles each schema object once, however often it is called, and keeps it as long
 * as itself. So do not give it a new object for each request.
 *
 * @throws Error, from the compiler: the schema is invalid. The message says where.
 */
export function createCompiler(options: CompilerOptions = {}): (schema: object) => Validate {
  const { allErrors = false, useDefaults = false, foreign = false, formats = {}, keywords = [] } = options
  // The service's own schemas are strict, and need no validation at run time, which takes 25 ms for the first schema.
  const strictness: Options = foreign ? { strict: false } : { strict: true, validateSchema: false }
  const ajv = new Ajv2020({
    allErrors,
    useDefaults,
    ...strictness,
    formats: { ...formats },
    keywords: [...keywords, 'expected'],
    allowUnionTypes: true,
    addUsedSchema: false,
    verbose: true,
  })
  return (schema) => {
    try {
      const validate = ajv.compile(schema)
      return (value) => (validate(value) ? [] : (validate.errors ?? []))
    } catch (cause) {
      throw new Error((cause as Error).message.replace(/^schema is invalid: data/, 'it'), { cause })
    }
  }
}

/** How errors are described. */
export interface Wording {
  /** Key path of the validated value, such as `routes[0]`. Default: none. */
  base?: string
  /** Name of the validated value in messages about the whole of it. */
  whole?: string
  /** Describes an invalid value, as `not …` continues; '' to hide it. Default: hidden. */
  given?: (value: unknown, schema: Schema, path: string) => string
}

/** Describes errors, each once. */
export function explainAll(errors: readonly ErrorObject[], wording: Wording): string[] {
  // Ajv reports a bad key twice; its `propertyNames` error already names the key.
  const each = errors.filter(({ propertyName }) => propertyName === undefined)
  return [...new Set(each.map((error) => explain(error, wording)))]
}

/** Describes one error in words: the key path, what the schema accepts, and what was given. Has no full stop. */
export function explain(error: ErrorObject, { base = '', whole = 'the value', given = () => '' }: Wording): string {
  const { keyword, instancePath, params, data } = error
  const schema = (error.parentSchema ?? {}) as Schema
  const path = keyPath(base, instancePath)
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const key: string = params.additionalProperty ?? params.unevaluatedProperty
    return `${join(path, key.slice(0, 200))} is unknown${alternatives(key, Object.keys(schema.properties ?? {}))}`
  }
  if (keyword === 'required') {
    const wanted = accepted(schema.properties?.[params.missingProperty] ?? {})
    return `${join(path, params.missingProperty)} is missing${wanted && `: it must be ${wanted}`}`
  }
  if (keyword === 'dependentRequired') return `${join(path, params.property)} needs ${params.missingProperty}`
  if (keyword === 'propertyNames') {
    return `${join(path, params.propertyName)}: the key must be ${accepted(error.schema as Schema)}`
  }
  const wanted = accepted(schema)
  if (!wanted) return `${path || whole} ${error.message}`
  const seen = given(data, schema, path)
  const words = (schema.enum ?? []).filter((word) => typeof word === 'string')
  const guess = seen && typeof data === 'string' ? nearest(data, words) : undefined
  return `${path || whole} must be ${wanted}${seen && `, not ${seen}`}${guess ? `; did you mean ${guess}?` : ''}`
}

function alternatives(key: string, allowed: readonly string[]): string {
  const guess = nearest(key, allowed)
  const list = allowed.join(', ')
  if (guess !== undefined) return `: did you mean ${guess}? Allowed are ${list}`
  return list && `; allowed are ${list}`
}

/** Values of the formats of requests. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address such as name@example.org',
  'date-time': 'a time in the future, such as 2030-01-31T12:00:00.000Z',
}

/** Describes the values that a schema accepts, as "must be" continues; '' if it says too little. */
export function accepted(schema: Schema): string {
  const { type = [], format = '', enum: values, expected = FORMATS[format] } = schema
  const types = [type].flat()
  const wanted = expected ?? (values ? oneOf(values) : types.map((each) => ofType(each, schema)).join(' or '))
  return types.includes('null') && !wanted.endsWith('null') ? `${wanted} or null` : wanted
}

/** Writes values as `"a", "b" or 3`. */
function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value))
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}

function ofType(type: string, { minLength = 0, maxLength, minItems, maxItems, items, minimum, maximum }: Schema) {
  if (type === 'object') return 'a JSON object'
  if (type === 'boolean') return 'true or false'
  if (type === 'integer' || type === 'number') {
    const number = type === 'integer' ? 'an integer' : 'a number'
    if (minimum !== undefined && maximum !== undefined) return `${number} from ${minimum} to ${maximum}`
    if (minimum !== undefined) return `${number} of at least ${minimum}`
    return maximum === undefined ? number : `${number} of at most ${maximum}`
  }
  if (type === 'array') {
    if (maxItems !== undefined) return `a list of ${minItems ?? 0} to ${maxItems} entries`
    if (minItems !== undefined) return `a list of ${minItems} or more entries`
    return items ? `a list, each entry ${accepted(items)}` : 'a list'
  }
  if (type !== 'string') return type
  if (maxLength !== undefined) return `a string of ${minLength} to ${maxLength} characters`
  if (minLength > 1) return `a string of at least ${minLength} characters`
  return minLength ? 'a string that is not empty' : 'a string'
}

/** Writes a JSON Pointer as a key path below `base`: `/formats/tar.gz/aliases/0` is `formats["tar.gz"].aliases[0]`. */
function keyPath(base: string, pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), base)
}

/** Appends a key to a path; quotes the key if it is not a word. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path ? `${path}.${key}` : key
}

/** Describes a value briefly. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length > 0 ? `the list ${excerpt(value)}` : 'an empty list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return value === undefined ? 'undefined' : excerpt(value)
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
