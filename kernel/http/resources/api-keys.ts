import type { ApiKey } from '../../database/tables/api-keys.ts'
import { ServiceError } from '../../errors.ts'
import { flag, list, orNull, record, reference, text, time } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { created, done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'

/** The part of an API key that clients see: never its hash. */
type ShownKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'created_at' | 'last_used_at' | 'expires_at'>

const keyRecord = ({ id, name, prefix, created_at, last_used_at, expires_at }: ShownKey, overLimit = false) => ({
  ...{ id, name, prefix },
  createdAt: timeOf(created_at),
  lastUsedAt: timeOf(last_used_at),
  expiresAt: timeOf(expires_at),
  ...(overLimit && { overLimit }),
})

const timeOf = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())

const sampleKey = (): ShownKey => ({
  ...{ id: `key_${sampleId('6')}`, name: 'build server', prefix: 'ath_x3F9aQ2m' },
  ...{ created_at: SAMPLE_TIME, last_used_at: null, expires_at: Date.UTC(2027, 10, 21, 10) },
})

const keyResponse = shape(
  'ApiKeyResponse',
  record({ apiKey: reference('ApiKey'), key: text('The key itself; it is never shown again.') }),
  ({ apiKey, key }: { apiKey: ShownKey; key: string }) => ({ apiKey: keyRecord(apiKey), key }),
  () => ({ apiKey: sampleKey(), key: 'ath_x3F9aQ2mV0nE5rT8yU1iO4pA7sD6fG9hJ2kL3zX0cVb' }),
)

const keyList = shape(
  'ApiKeyList',
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
        id: text('Names the key.'),
        name: text('What it is for.'),
        prefix: text('Its first characters.'),
        createdAt: time('When it was made.'),
        lastUsedAt: orNull(time('When it was last used, to the minute.')),
        expiresAt: orNull(time('When it stops working.')),
        overLimit: flag('True: the plan allows fewer keys, and older ones come first; this one answers 401 for now.'),
      },
      ['overLimit'],
    ),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/api-keys', id: 'listApiKeys', authentication: 'session', rate: 'requests' },
      summary: 'List the active API keys',
      description:
        'The secret of a key is never shown again. Keys with `overLimit` do not work until the plan allows more keys.',
      answer: ok('All of them.', keyList),
      handle:
        ({ accounts }) =>
        ({ user }) =>
          accounts.keys.list(user),
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/api-keys', id: 'createApiKey', authentication: 'session', rate: 'requests' },
      summary: 'Make an API key, up to the number of the plan',
      description:
        'The answer is the only place where the key stands in full. Keep it secret: it acts for your account.',
      body: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100, description: 'What the key is for.' },
          expiresAt: { type: 'string', format: 'date-time', description: 'When it stops working. Default: never.' },
        },
      },
      example: () => {
        const { name, expiresAt } = keyRecord(sampleKey())
        return { name, expiresAt: expiresAt! }
      },
      answer: created('The key, shown this once.', keyResponse),
      refusals: ['FORBIDDEN'],
      handle:
        ({ accounts, log }) =>
        async ({ user, body: { name, expiresAt } }) => {
          const expiry = expiresAt === undefined ? null : Date.parse(expiresAt)
          if (expiry !== null && expiry <= Date.now()) {
            throw new ServiceError('BAD_REQUEST', 'expiresAt must be in the future')
          }
          const made = await accounts.keys.create(user, { name, expiresAt: expiry })
          log.info({ user: user.id, key: made.apiKey.id }, 'API key made')
          return made
        },
    }),
    endpoint({
      ...{ method: 'DELETE', path: '/api/api-keys/:id', id: 'revokeApiKey', authentication: 'session' },
      rate: 'requests',
      summary: 'Revoke an API key at once',
      description: 'Requests with this key get 401 from now on.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle:
        ({ accounts, log }) =>
        async ({ ctx, user }) => {
          await accounts.keys.revoke(user, ctx.params.id!)
          log.info({ user: user.id, key: ctx.params.id }, 'API key revoked')
        },
    }),
  ],
}
