import type { ApiKey } from '../../database/tables/api-keys.ts'
import { ServiceError } from '../../errors.ts'
import { flag, list, orNull, record, reference, text, time, timeOf } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { created, done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'

/** The part of an API key that clients see: never its hash. */
type ShownKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'created_at' | 'last_used_at' | 'expires_at'>

const keyRecord = ({ id, name, prefix, created_at, last_used_at, expires_at }: ShownKey, overLimit = false) => ({
  id,
  name,
  prefix,
  createdAt: timeOf(created_at),
  lastUsedAt: timeOf(last_used_at),
  expiresAt: timeOf(expires_at),
  ...(overLimit && { overLimit }),
})

const sampleKey = (): ShownKey => ({
  id: `key_${sampleId('6')}`,
  name: 'build server',
  prefix: 'ath_x3F9aQ2m',
  created_at: SAMPLE_TIME,
  last_used_at: null,
  expires_at: Date.UTC(2027, 10, 21, 10),
})

const keyResponse = envelope(
  record({ apiKey: reference('ApiKey'), key: text('The whole key; it is not shown again.') }),
  ({ apiKey, key }: { apiKey: ShownKey; key: string }) => ({ apiKey: keyRecord(apiKey), key }),
  () => ({ apiKey: sampleKey(), key: 'ath_x3F9aQ2mV0nE5rT8yU1iO4pA7sD6fG9hJ2kL3zX0cVb' }),
)

const keyList = envelope(
  record({ apiKeys: list('ApiKey') }),
  (keys: readonly (ShownKey & { overLimit: boolean })[]) => ({
    apiKeys: keys.map((key) => keyRecord(key, key.overLimit)),
  }),
)

export const apiKeys: Resource = {
  tag: 'Accounts',
  schemas: {
    ApiKey: record(
      {
        id: text('Id.'),
        name: text('What the key is for.'),
        prefix: text('First characters of the key.'),
        createdAt: time('When it was created.'),
        lastUsedAt: orNull(time('When it was last used, to the minute.')),
        expiresAt: orNull(time('When it expires.')),
        overLimit: flag('True if the plan allows fewer keys: this one gets 401.'),
      },
      ['overLimit'],
    ),
  },
  endpoints: [
    endpoint('GET', '/api/api-keys', {
      id: 'listApiKeys',
      authentication: 'session',
      rate: 'requests',
      summary: 'List your API keys',
      description: 'Shows the active keys, without their secrets.',
      answer: ok('All of them.', keyList),
      handle: ({ accounts }, { user }) => accounts.keys.list(user),
    }),
    endpoint('POST', '/api/api-keys', {
      id: 'createApiKey',
      authentication: 'session',
      rate: 'requests',
      summary: 'Create an API key',
      description: 'Only this answer has the whole key. Keep it secret.',
      body: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100, description: 'What the key is for.' },
          expiresAt: { type: 'string', format: 'date-time', description: 'When it expires. Default: never.' },
        },
      },
      example: () => {
        const { name, expiresAt } = keyRecord(sampleKey())
        // biome-ignore lint/style/noNonNullAssertion: the sample has one.
        return { name, expiresAt: expiresAt! }
      },
      answer: created('The key.', keyResponse),
      refusals: ['FORBIDDEN'],
      handle: async ({ accounts, log }, { user, body: { name, expiresAt } }) => {
        const expiry = expiresAt === undefined ? null : Date.parse(expiresAt)
        if (expiry !== null && expiry <= Date.now()) {
          throw new ServiceError('BAD_REQUEST', 'expiresAt must be in the future')
        }
        const made = await accounts.keys.create(user, { name, expiresAt: expiry })
        log.info({ user: user.id, key: made.apiKey.id }, 'API key made')
        return made
      },
    }),
    endpoint('DELETE', '/api/api-keys/:id', {
      id: 'revokeApiKey',
      authentication: 'session',
      rate: 'requests',
      summary: 'Revoke an API key',
      description: 'Requests with the key get 401 from now on.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: async ({ accounts, log }, { params, user }) => {
        await accounts.keys.revoke(user, params.id)
        log.info({ user: user.id, key: params.id }, 'API key revoked')
      },
    }),
  ],
}
