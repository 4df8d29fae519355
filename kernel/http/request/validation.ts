import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { ServiceError } from '../../errors.ts'
import { isEmail } from '../../people/email.ts'
import type { ObjectSchema, Schema } from './schema.ts'

/** What each format accepts, as a refusal says it. */
const formats: Readonly<
  Record<NonNullable<Schema['format']>, { accepted: string; validate: (text: string) => boolean }>
> = {
  email: { accepted: 'an email address such as name@example.org', validate: isEmail },
  'date-time': { accepted: 'a time in the future, such as 2030-01-31T12:00:00.000Z', validate: isTime },
}

const ajv = new Ajv2020({
  // To check a schema, ajv compiles the schema of schemas first. A test does that: the OpenAPI document shows these.
  validateSchema: false,
  keywords: ['published'],
  strict: true,
  coerceTypes: false,
  useDefaults: false,
  ownProperties: true,
  formats: Object.fromEntries(Object.entries(formats).map(([name, { validate }]) => [name, validate])),
})

/**
 * Makes a check, which is compiled when it is first needed. The refusal is a sentence that names the first bad field
 * and what it accepts.
 *
 * @throws ServiceError BAD_REQUEST, from the check.
 */
export function createCheck<T>(schema: ObjectSchema, subject: string): (value: unknown) => T {
  let validate: ValidateFunction<T> | undefined
  return (value) => {
    validate ??= ajv.compile<T>(schema)
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
