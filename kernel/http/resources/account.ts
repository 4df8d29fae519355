import type { Kernel } from '../../boot/kernel.ts'
import type { User } from '../../database/tables/users.ts'
import { count, orNull, record, reference, text, time, timeOf } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'

/** The part of an account that clients see. */
export type ShownUser = Pick<User, 'id' | 'email' | 'name' | 'plan' | 'status' | 'created_at'>

/** An account as clients see it. */
export const userRecord = ({ id, email, name, plan, status, created_at }: ShownUser) => ({
  id,
  email,
  name,
  plan,
  status,
  createdAt: timeOf(created_at),
})

/** An account for the examples. */
export const sampleUser = (): ShownUser => ({
  id: `user_${sampleId('6')}`,
  email: 'ada@example.org',
  name: 'Ada',
  plan: 'pro',
  status: 'active',
  created_at: SAMPLE_TIME,
})

interface Me {
  user: ShownUser
  usage: Awaited<ReturnType<Kernel['usage']>>
  limits: object
}

const limits = Object.fromEntries(
  Object.entries({
    maxFileSize: 'Bytes of one file.',
    pendingJobs: 'Conversions queued or processing at the same time.',
    heavyConcurrency: 'Heavy conversions at the same time.',
    conversionsPerDay: 'Conversions per day (UTC).',
    storedBytes: 'Bytes of stored uploads and results.',
    maxResultSize: 'Bytes of one result.',
    bytesPerDay: 'Bytes of source files per day (UTC).',
    requestsPerMinute: 'API requests per minute.',
    requestsPerHour: 'API requests per hour.',
    filesPerBatch: 'Files in one batch.',
    apiKeys: 'Active API keys.',
  }).map(([name, description]) => [name, orNull(count(description))]),
)

const meResponse = envelope(
  record({
    user: reference('User'),
    usage: record({
      conversionsToday: count('Conversions charged today (UTC).'),
      bytesToday: count('Bytes charged today (UTC).'),
      pendingJobs: count('Conversions queued or processing.'),
      storedBytes: count('Bytes of uploads and results that are kept now.'),
    }),
    limits: { description: 'null means unlimited.', ...record(limits) },
  }),
  ({ user, usage, limits }: Me) => ({ user: userRecord(user), usage, limits }),
)

export const account: Resource = {
  tag: 'Accounts',
  schemas: {
    User: record({
      id: text('Id.'),
      email: text('Email address, in lower case.'),
      name: orNull(text('Name for other people.')),
      plan: text('Plan.', { enum: ['free', 'pro', 'business'] }),
      status: text('`suspended` accounts are refused.', { enum: ['active', 'suspended'] }),
      createdAt: time('When it was created.'),
    }),
  },
  endpoints: [
    endpoint('GET', '/api/users/me', {
      id: 'getCurrentUser',
      authentication: 'session',
      rate: 'requests',
      summary: 'Show your account',
      description: 'Sizes are in bytes.',
      answer: ok('The user.', meResponse),
      handle: async ({ config, usage }, { owner, user }) => ({
        user,
        usage: await usage(owner),
        limits: config.plans[user.plan],
      }),
    }),
  ],
}
