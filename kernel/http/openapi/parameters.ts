import type { OwnParameter } from '../operation.ts'
import { cursor, limit } from '../request/paging.ts'
import { downloadQuery } from '../request/permit.ts'
import type { Schema } from '../request/schema.ts'

const text = { type: 'string' }
const part = (name: string) => ({ name, in: 'path', required: true, schema: text })

/** Parameters that several operations take, by the name of their component. */
export const parameters = {
  Guest: {
    name: 'x-guest-fingerprint',
    in: 'header',
    schema: text,
    description: 'Tells guests with one address apart. With a session, it also shows what that guest made.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'A new unique value for each request. Sent again within 24 hours, the request has no second effect: the answer is the same, with `Idempotency-Replayed: true`. While the first is at work, it is refused with `Retry-After`.',
  },
  Team: { name: 'x-team-id', in: 'header', schema: text, description: 'The team that the request is for.' },
  Limit: { name: 'limit', in: 'query', ...split(limit) },
  Cursor: { name: 'cursor', in: 'query', ...split(cursor) },
  Token: { name: 'token', in: 'query', ...split(downloadQuery.properties.token) },
  id: { ...part('id'), description: 'Identifier from an earlier answer.' },
  slug: { ...part('slug'), description: 'Such as `png-to-webp`.' },
  provider: { ...part('provider'), description: 'Name of the provider.' },
}

/** OpenAPI has a parameter's description beside its schema. */
function split({ description, ...schema }: Schema) {
  return { description, schema }
}

/** Refers to one of them. */
export const parameter = (name: string) => {
  if (!Object.hasOwn(parameters, name)) throw new Error(`openapi/parameters.ts does not describe ${name}`)
  return { $ref: `#/components/parameters/${name}` }
}

/** Describes a parameter that only one operation takes. */
export const ownParameter = ({ name, in: place, description }: OwnParameter) => ({
  name,
  in: place,
  description,
  schema: text,
  ...(place === 'path' && { required: true }),
})

/** Describes a parameter of a query. */
export function queryParameter(name: string, schema: Schema) {
  if (schema === limit) return parameter('Limit')
  if (schema === downloadQuery.properties.token) return parameter('Token')
  return schema === cursor ? parameter('Cursor') : { name, in: 'query', ...split(schema) }
}
