import { count, flag, list, orNull, type ResponseSchema, record, reference, text, time } from './response-schema.ts'
import type { ObjectSchema, Schema } from './validation.ts'

const email: Schema = { type: 'string', format: 'email', description: "The account's address; its case means nothing." }
const newPassword: Schema = { type: 'string', minLength: 8, maxLength: 256, description: '8 to 256 characters.' }

export const registerBody: ObjectSchema = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email,
    password: newPassword,
    name: { type: 'string', maxLength: 200, description: 'What to call the user.' },
  },
}

export const loginBody: ObjectSchema = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', minLength: 1, maxLength: 254, description: "The account's address." },
    password: { type: 'string', minLength: 1, maxLength: 256, description: "The account's password." },
  },
}

export const changePasswordBody: ObjectSchema = {
  type: 'object',
  required: ['currentPassword', 'password'],
  properties: {
    currentPassword: { type: 'string', minLength: 1, maxLength: 256, description: 'The password until now.' },
    password: newPassword,
  },
}

export const requestResetBody: ObjectSchema = { type: 'object', required: ['email'], properties: { email } }

export const confirmResetBody: ObjectSchema = {
  type: 'object',
  required: ['token', 'password'],
  properties: {
    token: { type: 'string', minLength: 1, maxLength: 200, description: "The link's `token`." },
    password: newPassword,
  },
}

/** What a provider adds to the callback (RFC 6749 §4.1.2, RFC 9207). */
export const callbackQuery: ObjectSchema = {
  type: 'object',
  properties: {
    state: { type: 'string', description: 'As the redirect to the provider had it.' },
    code: { type: 'string', description: "The provider's authorization code." },
    error: { type: 'string', description: 'Why the provider refused.' },
    iss: { type: 'string', description: 'Who the provider is.' },
  },
}

export const createKeyBody: ObjectSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'What the key is for.' },
    expiresAt: { type: 'string', format: 'date-time', description: 'When it stops working. Default: never.' },
  },
}

/** What responses about accounts look like. */
export const accountSchemas: Record<string, ResponseSchema> = {
  User: record({
    id: text('Names the user.'),
    email: text('Address, in lower case.'),
    name: orNull(text('What to call the user.')),
    plan: text('Plan.', { enum: ['free', 'pro', 'business'] }),
    status: text('`suspended` accounts are refused everywhere.', { enum: ['active', 'suspended'] }),
    createdAt: time('When the account was made.'),
  }),
  SignInResponse: record({ token: text('Session token (JWT), for `Authorization: Bearer`.'), user: reference('User') }),
  ResetAccepted: record({ status: { const: 'accepted' } }),
  SignInProviderList: record({ providers: list('SignInProvider') }),
  SignInProvider: record({
    id: text('As it stands in paths.'),
    name: text('For people.'),
    url: text('Where to send a browser.', { pattern: '^/api/auth/[a-z][a-z0-9-]*$' }),
  }),
  MeResponse: record({
    user: reference('User'),
    usage: record({
      conversionsToday: count('Conversions charged today (UTC).'),
      bytesToday: count('Bytes charged today (UTC).'),
      pendingJobs: count('Conversions queued or processing.'),
      storedBytes: count('Bytes of uploads and results that are kept now.'),
    }),
    limits: record(
      Object.fromEntries(
        Object.entries({
          ...{ maxFileSize: 'Bytes of one file.', pendingJobs: 'Conversions queued or processing at one time.' },
          ...{ heavyConcurrency: 'Heavy conversions at one time.', conversionsPerDay: 'Conversions a day (UTC).' },
          ...{ storedBytes: 'Bytes of uploads and results kept at one time.', maxResultSize: 'Bytes of one result.' },
          ...{ bytesPerDay: 'Bytes of sources a day (UTC).', requestsPerMinute: 'API requests a minute.' },
          ...{ requestsPerHour: 'API requests an hour.', filesPerBatch: 'Files of one batch.' },
          apiKeys: 'Active API keys.',
        }).map(([name, description]) => [name, orNull(count(`${description} null: unlimited.`))]),
      ),
    ),
  }),
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
  ApiKeyResponse: record({ apiKey: reference('ApiKey'), key: text('The key itself; it is never shown again.') }),
  ApiKeyList: record({ apiKeys: list('ApiKey') }),
}
