import type { Code } from '../errors.ts'

const fileId = 'uploads/2026/11/21/019aa5b6c7d87e8f90a1b2c3d4e5f607/photo.png'
const conversionId = 'conv_019aa5b6d0a17c3e8b5f4a6978123456'

const file = {
  ...{ fileId, originalName: 'photo.png', mimeType: 'image/png', size: 18234, format: 'png', category: 'image' },
  path: `/api/files/${encodeURIComponent(fileId)}`,
}

const conversion = {
  ...{ id: conversionId, status: 'completed', progress: 100, fromFormat: 'png', toFormat: 'webp' },
  outputFileId: 'outputs/2026/11/21/019aa5b6d0a17c3e8b5f4a6978123456/photo.webp',
  outputUrl: `https://files.example/api/files/${conversionId}/download?token=eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl`,
  outputSize: 9120,
  createdAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:01.250Z',
  error: null,
}

const batchId = 'batch_019aa5b6d0a07c3e8b5f4a6978123455'

const tool = {
  ...{
    slug: 'png-to-webp',
    name: 'Convert PNG to WebP',
    description: 'Converts PNG files to WebP.',
    category: 'image',
  },
  ...{ fromFormat: 'png', toFormat: 'webp', jobIntent: 'convert' },
  options: {
    type: 'object',
    properties: { quality: { type: 'integer', minimum: 1, maximum: 100 } },
    additionalProperties: false,
  },
  ...{ engine: 'sharp', enabled: true },
}

const team = {
  ...{ id: 'team_019aa5b6d0a07c3e8b5f4a6978123454', name: 'Press office', role: 'owner' },
  createdAt: '2026-11-21T10:00:00.000Z',
}

const format = {
  ...{ extension: 'jpg', aliases: ['jpeg'], mimeType: 'image/jpeg', category: 'image' },
  ...{ readable: true, writable: true, targets: ['png', 'webp'] },
}

const provider = {
  ...{ name: 'webdav', label: 'WebDAV server', kind: 'credentials', connected: true },
  fields: [{ name: 'url', description: 'Of the folder.', required: true }],
}

const cloudFile = { ref: 'holiday/photo.png', name: 'photo.png', size: 18234, isFolder: false }

const user = {
  ...{ id: 'user_019aa5b6d0a17c3e8b5f4a6978123456', email: 'ada@example.org', name: 'Ada', plan: 'pro' },
  ...{ status: 'active', createdAt: '2026-11-21T10:00:00.000Z' },
}

const apiKey = {
  ...{ id: 'key_019aa5b6d0a17c3e8b5f4a6978123456', name: 'build server', prefix: 'ath_x3F9aQ2m' },
  ...{ createdAt: '2026-11-21T10:00:00.000Z', lastUsedAt: null, expiresAt: '2027-11-21T10:00:00.000Z' },
}

/** An example of each response schema, and of each JSON request by method and path. */
export const examples: Record<string, unknown> = {
  'POST/api/conversions': { fileId, toFormat: 'webp', fileName: 'photo.png' },
  'POST/api/conversions/batch': {
    files: [{ fileId, fileName: 'photo.png', fileSize: 18234, fromFormat: 'png' }],
    toFormat: 'webp',
  },
  'POST/api/import/url': { url: 'https://example.org/pictures/photo.png' },
  'POST/api/import/:provider/connect': {
    url: 'https://cloud.example.org/remote.php/dav/files/me/',
    username: 'me',
    password: 'of-an-app',
  },
  'POST/api/import/:provider': { ref: cloudFile.ref },
  ProviderResponse: { provider },
  ConnectResponse: { authorizeUrl: null },
  CloudFileList: { files: [cloudFile], nextCursor: null },
  UploadResponse: {
    file,
    detection: { extension: 'png', mimeType: 'image/png', category: 'image' },
    suggestions: ['jpg', 'webp', 'pdf'],
  },
  FileResponse: { file },
  StartResponse: { conversionId, queued: true, queueDepth: 3 },
  ConversionResponse: { conversion },
  BatchStartResponse: {
    batchId,
    conversions: [
      { fileId, fileName: 'photo.png', conversionId, queued: true, queueDepth: 3 },
      {
        ...{ fileId: 'uploads/2026/11/21/019aa5b6c7d87e8f90a1b2c3d4e5f608/gone.png', fileName: 'gone.png' },
        error: { message: 'There is no such file: it does not exist, has expired or was removed', code: 'NOT_FOUND' },
      },
    ],
  },
  'POST/api/teams': { name: 'Press office', members: [{ email: 'bo@example.org', role: 'member' }] },
  'PATCH/api/teams/:id': { members: [{ email: 'bo@example.org', role: 'admin' }] },
  TeamResponse: {
    team: {
      ...team,
      members: [
        { email: 'al@example.org', name: 'Al', role: 'owner', status: 'active' },
        { email: 'bo@example.org', role: 'member', status: 'invited' },
      ],
    },
  },
  TeamInvitationList: {
    invitations: [
      {
        ...{ id: 'inv_019aa5b6d0a07c3e8b5f4a6978123453', team: { id: team.id, name: team.name }, role: 'member' },
        ...{ invitedBy: 'al@example.org', createdAt: team.createdAt },
      },
    ],
  },
  ToolResponse: { tool },
  FormatList: { formats: [format] },
  'POST/api/auth/register': { email: user.email, password: 'correct horse battery', name: user.name },
  'POST/api/auth/login': { email: user.email, password: 'correct horse battery' },
  'POST/api/auth/password-reset': { email: user.email },
  'POST/api/auth/password-reset/confirm': { token: 'mW0xGf5y…', password: 'staple correct horse' },
  'POST/api/users/me/password': { currentPassword: 'correct horse battery', password: 'staple correct horse' },
  SignInProviderList: { providers: [{ id: 'google', name: 'Google', url: '/api/auth/google' }] },
  ResetAccepted: { status: 'accepted' },
  'POST/api/api-keys': { name: apiKey.name, expiresAt: apiKey.expiresAt },
  SignInResponse: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl', user },
  ApiKeyResponse: { apiKey, key: 'ath_x3F9aQ2mV0nE5rT8yU1iO4pA7sD6fG9hJ2kL3zX0cVb' },
  Life: { status: 'ok' },
  Readiness: {
    status: 'ready',
    parts: { database: { ok: true }, queue: { ok: true, detail: '0 waiting, 0 processing' } },
  },
}

/** A message of each code that does not depend on the catalogue; a test holds that each is sent. */
export const errorMessages: Partial<Record<Code, string>> = {
  BATCH_TOO_LARGE: 'files must have at most the 2 entries of your plan',
  URL_NOT_ALLOWED: 'url has an address that is not public; it must be an http or https URL of a public server',
  UNAUTHORIZED: 'The API key or session token is missing, invalid or expired',
  FORBIDDEN: 'The account is suspended; ask the administrator',
  OPTION_NOT_APPLICABLE: 'options.crf applies to video targets, not to archive, which accepts: compression',
  INVALID_TOKEN: 'token is used, expired or wrong; ask for a new link by POST /api/auth/password-reset',
  EMAIL_TAKEN: 'There is an account with this email already; sign in, or reset its password',
  NOT_FOUND: 'There is no such file: it does not exist, has expired or was removed',
  PRECONDITION_FAILED: 'The file is not in the state that If-Match or If-Unmodified-Since names',
  FILE_TOO_LARGE: 'The file is larger than the 25 MB that your plan allows',
  PAYLOAD_TOO_LARGE: 'The body must have at most 1 MiB',
  UNSUPPORTED_MEDIA_TYPE: 'The Content-Type must be application/json, in UTF-8',
  RANGE_NOT_SATISFIABLE: 'The range must lie within the 9120 bytes of the file',
  MISDIRECTED_REQUEST:
    'Host: this service is not known by that name; use localhost, or let the operator list the name in http.hosts or PUBLIC_URL',
  HTTPS_REQUIRED: 'Plain HTTP is not served; use https://',
  QUOTA_EXCEEDED: 'You have had the 10 conversions a day that your plan allows; a new day begins at 00:00 UTC',
  QUEUE_FULL_USER: 'You have 5 conversions pending, as many as your plan allows; wait for one to end',
  QUEUE_FULL_GLOBAL: 'The queue is full; try again later',
  STORAGE_FULL: 'The storage is full; try again later',
  MAINTENANCE_MODE: 'The service is under maintenance; try again later',
  NOT_READY: 'Not ready: storage (no room)',
  IMPORT_FAILED: 'The server answered 404, not 200',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side; try again later',
}
