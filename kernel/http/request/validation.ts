import { ServiceError } from '../../errors.ts'
import { createCompiler, explain } from '../../json-schema.ts'
import { isEmail } from '../../people/users.ts'
import type { Context } from '../context.ts'
import type { ObjectSchema } from './schema.ts'

const compile = createCompiler({ formats: { email: isEmail, 'date-time': isTime }, keywords: ['published'] })

/**
 * Makes a check, which is compiled when it is first needed. The refusal is a sentence that names the first bad field
 * and what it accepts. It does not quote the value, which may be a password.
 *
 * @throws ServiceError BAD_REQUEST, from the check.
 */
export function createCheck<T>(schema: ObjectSchema, subject: string): (value: unknown) => T {
  return (value) => {
    const [error] = compile(schema)(value)
    if (error) throw new ServiceError('BAD_REQUEST', explain(error, { whole: subject }))
    return value as T
  }
}

/** A time of RFC 3339. */
function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}

/**
 * Compiles a reader of query parameters. It ignores parameters that the schema does not name.
 *
 * @throws ServiceError BAD_REQUEST, from the reader.
 */
export function createQueryReader<T extends object>(schema: ObjectSchema): (ctx: Context) => Partial<T> {
  const check = createCheck<Partial<T>>(schema, 'The query')
  const none = {}
  return ({ querystring }) => {
    if (querystring === '') return none
    const given = new URLSearchParams(querystring)
    const query: Record<string, unknown> = {}
    for (const [name, { type }] of Object.entries(schema.properties)) {
      const [value, ...more] = given.getAll(name)
      if (value === undefined) continue
      if (more.length) throw new ServiceError('BAD_REQUEST', `${name} must be given only once`)
      // Other text stays text, and the schema refuses it.
      query[name] = type === 'integer' && /^-?\d{1,9}$/.test(value) ? Number(value) : value
    }
    return check(query)
  }
}
