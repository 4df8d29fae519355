import { ServiceError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { ObjectSchema } from './schema.ts'
import { createCheck } from './validation.ts'

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
