import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isEmail } from '../accounts/email.ts'
import { ServiceError } from '../errors.ts'

/** The part of JSON Schema that requests need. */
export interface Schema {
  type: 'object' | 'string' | 'integer' | 'boolean' | 'array'
  description?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  /** Of an array: what its entries are, and how many. */
  items?: ObjectSchema
  minItems?: number
  maxItems?: number
  format?: keyof typeof formats
  /** What the OpenAPI document shows of an object whose insides are judged elsewhere. */
  published?: object
  default?: unknown
  examples?: readonly unknown[]
}

export interface ObjectSchema {
  type: 'object'
  description?: string
  required?: readonly string[]
  properties: Readonly<Record<string, Schema>>
}

/** What each format accepts, and how a refusal calls it. */
const formats = {
  email: { accepted: 'an email address such as name@example.org', validate: isEmail },
  'date-time': { accepted: 'a time in the future, such as 2030-01-31T12:00:00.000Z', validate: isTime },
}

const ajv = new Ajv2020({
  keywords: ['published'],
  strict: true,
  coerceTypes: false,
  useDefaults: false,
  ownProperties: true,
  formats: Object.fromEntries(Object.entries(formats).map(([name, { validate }]) => [name, validate])),
})

/**
 * Compiles a check. The refusal is a sentence that names the first bad field and what it accepts.
 *
 * @throws ServiceError BAD_REQUEST, from the check.
 */
export function createCheck<T>(schema: ObjectSchema, subject: string): (value: unknown) => T {
  const validate = ajv.compile<T>(schema)
  return (value) => {
    if (validate(value)) return value
    throw new ServiceError('BAD_REQUEST', sentence(validate.errors![0]!, schema, subject))
  }
}

function sentence({ keyword, params, instancePath }: ErrorObject, schema: ObjectSchema, subject: string): string {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(params.missingProperty as string)
  if (!path.length) return `${subject} must be a JSON object`
  // files/0/fileId is files[0].fileId for people.
  const field = path.map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : at ? `.${part}` : part)).join('')
  let at: Schema | ObjectSchema = schema
  for (const part of path) at = 'items' in at && at.items ? at.items : (at as ObjectSchema).properties[part]!
  const rule = `must be ${accepted(at)}`
  return keyword === 'required' ? `${field} is missing: it ${rule}` : `${field} ${rule}`
}

function accepted({
  type,
  enum: choices,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  format,
}: Schema): string {
  if (format) return formats[format].accepted
  if (choices) return choices.length > 1 ? `one of ${choices.join(', ')}` : String(choices[0])
  if (type === 'object') return 'a JSON object'
  if (type === 'array')
    return `a list of ${minItems ?? 0} ${maxItems === undefined ? 'or more' : `to ${maxItems}`} entries`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') {
    if (minimum === undefined) return 'an integer'
    return maximum === undefined ? `an integer of at least ${minimum}` : `an integer from ${minimum} to ${maximum}`
  }
  if (maxLength !== undefined) return `a string of ${minLength ?? 0} to ${maxLength} characters`
  return minLength ? 'a string that is not empty' : 'a string'
}

/** A time of RFC 3339. */
function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}
