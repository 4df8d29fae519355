/**
 * Every key of the configuration file, with its default: JSON Schema 2020-12, closed. The descriptions are the
 * documentation; `example.yaml` shows all of them, and a test holds the two together. `bytes` and `duration` are
 * keywords of our own (units.ts); their value is the least that is allowed.
 */

const object = (properties: Record<string, object>, description: string) => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
})

/** A section may be left out: then each of its keys has its default. */
const section = (properties: Record<string, object>, description: string) => ({
  ...object(properties, description),
  default: {},
})

const [KB, MB] = [1e3, 1e6]
const [SECOND, MINUTE, DAY] = [1e3, 60e3, 86_400e3]

/** A size. The least is such that a number that was meant as megabytes is noticed. */
const bytes = (value: string, description: string, least = KB) => ({
  type: ['number', 'string'],
  bytes: least,
  default: value,
  description,
})

/** A time that is waited: timers of Node count to 2^31 - 1 ms, and end at once above that. */
const duration = (value: string | number, description: string, least = SECOND) => ({
  type: ['number', 'string'],
  duration: least,
  most: 24 * DAY,
  default: value,
  description,
})

/** A time for which something is kept or valid. */
const lifetime = (value: string, description: string, least = MINUTE) => ({
  ...duration(value, description, least),
  most: 3650 * DAY,
})

const count = (value: number | null, least: number, description: string) => ({
  type: value === null ? ['integer', 'null'] : 'integer',
  minimum: least,
  maximum: 1_000_000,
  default: value,
  description,
})

/** One plan. null lifts a limit. */
function plan(
  description: string,
  values: [string | null, number | null, number, number | null, string | null, number, number, number, number],
  [storedBytes, maxResultSize]: [string, string],
) {
  const [maxFileSize, pendingJobs, heavyConcurrency, conversionsPerDay, bytesPerDay, minute, hour, batch, keys] = values
  const limit = (value: number | null, least: number, text: string) => ({
    ...count(value, least, text),
    type: ['integer', 'null'],
  })
  const size = (value: string | null, text: string) => ({
    ...bytes('', text),
    type: ['number', 'string', 'null'],
    default: value,
  })
  return section(
    {
      maxFileSize: size(maxFileSize, 'Bytes of one file.'),
      pendingJobs: limit(pendingJobs, 1, 'Conversions queued or processing at one time.'),
      heavyConcurrency: limit(heavyConcurrency, 1, 'Heavy conversions processing at one time.'),
      conversionsPerDay: limit(conversionsPerDay, 0, 'Conversions a day (UTC).'),
      bytesPerDay: size(bytesPerDay, 'Bytes of sources converted a day (UTC).'),
      storedBytes: size(storedBytes, 'Bytes of uploads and results kept at one time.'),
      maxResultSize: size(maxResultSize, 'Bytes of one result.'),
      requestsPerMinute: limit(minute, 1, 'API requests a minute, in production.'),
      requestsPerHour: limit(hour, 1, 'API requests an hour, in production.'),
      filesPerBatch: limit(batch, 1, 'Files of one batch.'),
      apiKeys: limit(keys, 0, 'Active API keys.'),
    },
    description,
  )
}

/** The windows of a rate family. null lifts a limit. */
const rate = (perMinute: number, perHour: number, description: string) =>
  section(
    {
      perMinute: { ...count(perMinute, 1, 'In a minute.'), type: ['integer', 'null'] },
      perHour: { ...count(perHour, 1, 'In an hour.'), type: ['integer', 'null'] },
    },
    description,
  )

const pluginEntry = (value?: boolean) => ({
  type: ['boolean', 'object'],
  ...(value !== undefined && { default: value }),
  description: 'true opens it, false closes it (its tools answer 403), an object is its settings, if it takes any.',
})

/** An application at a cloud provider, with the places where the provider has its endpoints. */
const cloudApp = (label: string, urls: Record<string, string>) => ({
  ...object(
    {
      clientId: { type: 'string', minLength: 1, description: `Of the application that is registered at ${label}.` },
      clientSecret: { type: 'string', minLength: 1, description: 'The secret of that application.' },
      ...Object.fromEntries(
        Object.entries(urls).map(([key, value]) => [
          key,
          { type: 'string', format: 'http-url', default: value, description: `Where ${label} has it.` },
        ]),
      ),
    },
    `${label}: the application that asks people for their files; null: not offered.`,
  ),
  ...{ type: ['object', 'null'], required: ['clientId', 'clientSecret'], default: null },
})

/** A registration at a provider. @param required What it needs besides id and secret. */
const provider = (description: string, ...required: string[]) => ({
  ...object(
    {
      issuer: {
        type: 'string',
        format: 'https-url',
        description: "The OpenID Connect issuer, or GitHub's own server.",
      },
      clientId: { type: 'string', minLength: 1, description: 'What the provider calls this service.' },
      clientSecret: { type: 'string', minLength: 1, description: 'The secret that goes with it.' },
      name: { type: 'string', minLength: 1, maxLength: 60, description: 'For people. Default: the key.' },
      scopes: {
        type: 'array',
        items: { type: 'string', pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', title: 'scopes' },
        description: 'What to ask for. Default: openid, email and profile; of GitHub read:user and user:email.',
      },
    },
    description,
  ),
  required: ['clientId', 'clientSecret', ...required],
})

/** The plugins that ship. */
const bundled = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']

/** The file that `CONFIG_FILE` names. */
export const fileSchema = object(
  {
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      default: 3000,
      description: 'TCP port; 0 takes any free one.',
    },
    host: {
      type: 'string',
      minLength: 1,
      description: 'Address to listen on. Default 127.0.0.1, in production 0.0.0.0.',
    },
    profile: {
      type: 'string',
      enum: ['home'],
      description: 'home: guests without limits, plain HTTP for private networks alone, no registration.',
    },
    publicUrl: {
      type: 'string',
      format: 'http-url',
      description: 'Base of the outputUrl that clients get. Default: from the request.',
    },
    trustedProxies: {
      type: 'array',
      items: { type: 'string', format: 'cidr' },
      default: [],
      description: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    },
    plans: section(
      {
        guest: plan('Without an account.', ['25MB', 5, 1, 10, '250MB', 30, 500, 2, 0], ['500MB', '500MB']),
        free: plan('An account that pays nothing.', ['100MB', 10, 1, 25, '1GB', 30, 500, 5, 0], ['2GB', '1GB']),
        pro: plan('An account that pays.', ['2GB', 20, 2, 500, '3GB', 120, 2000, 20, 5], ['50GB', '10GB']),
        business: plan(
          'An account that pays more.',
          ['5GB', 50, 4, 5000, '50GB', 300, 5000, 50, 20],
          ['250GB', '10GB'],
        ),
      },
      'What each plan allows. null lifts a limit.',
    ),
    plugins: {
      type: 'object',
      description: 'By folder of plugins/, npm package, or path from this file. One that is not listed does not exist.',
      properties: Object.fromEntries(bundled.map((name) => [name, pluginEntry(true)])),
      additionalProperties: pluginEntry(),
      default: {},
    },
    tools: section(
      {
        disabled: {
          type: 'array',
          items: { type: 'string', pattern: '^[a-z0-9.*-]+$', title: 'slugs such as png-to-webp or *-to-exr' },
          default: [],
          description: 'Slugs of tools that answer 403, such as png-to-webp; * stands for anything.',
        },
      },
      'Single tools.',
    ),
    prefer: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Engines to take where several can make a pair, most wanted first.',
    },
    queue: section(
      {
        capacity: count(1000, 1, 'Conversions waiting in all; above it QUEUE_FULL_GLOBAL.'),
        workers: count(null, 1, 'Conversions processing at one time. null: twice the cores.'),
        heavyWorkers: count(null, 1, 'Heavy conversions processing at one time. null: half the cores, at least 1.'),
      },
      'The queue.',
    ),
    timeouts: section(
      {
        light: duration(120, 'Wall time of a light conversion.'),
        heavy: duration(3600, 'Wall time of a heavy conversion.'),
        stalled: {
          ...duration(60, 'How long a program may use no CPU time and make no progress. null: as long as it likes.'),
          type: ['number', 'string', 'null'],
        },
      },
      'Time of one conversion, then TIMEOUT.',
    ),
    retention: section(
      { guest: lifetime('2h', "A guest's files."), account: lifetime('24h', "An account's files.") },
      'How long uploads, results and finished records are kept.',
    ),
    downloads: section(
      { tokenLifetime: lifetime('15m', 'How long a link in outputUrl is valid.', 10 * SECOND) },
      'Signed links.',
    ),
    rates: section(
      {
        conversions: rate(10, 100, 'Conversions that are started; a batch counts once.'),
        uploads: rate(10, 60, 'Uploads and imports.'),
        downloads: rate(30, 200, 'Downloads, and whatever else is asked of a file.'),
        authentication: rate(10, 50, 'Signing in and up, and resetting passwords, by address.'),
        ceiling: { ...count(5000, 1, 'Requests of all kinds in 15 minutes.'), type: ['integer', 'null'] },
      },
      'Requests by account, or by address without one, in production. null lifts a limit.',
    ),
    cors: section(
      {
        origins: {
          type: 'array',
          items: { type: 'string', format: 'origin' },
          default: [],
          description: 'Origins whose pages may use the interface from a browser; * is any. None by default.',
        },
      },
      'Pages of other origins.',
    ),
    http: section(
      {
        hosts: {
          type: 'array',
          items: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,253}$', title: 'host names without a port' },
          default: [],
          description:
            'Names that clients may use besides localhost and that of publicUrl, where plain HTTP is served.',
        },
        headersTimeout: duration('30s', "How long a request's headers may take to arrive."),
        bodyTimeout: duration('30s', 'How long a JSON body may take to arrive.'),
        // Longer than the longest `wait` for a conversion.
        idleTimeout: duration('120s', 'How long a connection may be silent; at least 60s.', MINUTE),
        uploadPace: bytes('1KB', 'What an upload must bring a second, averaged over bodyTimeout.', 1),
        downloadPace: bytes('4KB', 'What a client must read of an answer a second, or its connection is closed.', 1),
        downloadGrace: duration('30s', 'How far behind downloadPace a client may be, besides 256 KiB.'),
        downloads: count(20, 1, 'Downloads of one client at a time: of an account, or of an address without one.'),
      },
      'How clients reach the service, and how long it waits for them.',
    ),
    imports: section(
      {
        timeout: duration('60s', 'One import, from the request to its last byte; then IMPORT_FAILED.'),
        allowNetworks: {
          type: 'array',
          items: { type: 'string', format: 'cidr' },
          default: [],
          description:
            'Addresses or CIDRs that imports may reach besides public ones: your clients read what is there.',
        },
        nameServers: {
          type: 'array',
          items: { type: 'string', format: 'name-server' },
          default: [],
          description: "DNS servers that are asked for the names in URLs. Default: the system's.",
        },
        providers: section(
          {
            'google-drive': cloudApp('Google Drive', {
              authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
              tokenUrl: 'https://oauth2.googleapis.com/token',
              revokeUrl: 'https://oauth2.googleapis.com/revoke',
              apiUrl: 'https://www.googleapis.com',
            }),
            dropbox: cloudApp('Dropbox', {
              authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
              tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
              apiUrl: 'https://api.dropboxapi.com',
              contentUrl: 'https://content.dropboxapi.com',
            }),
            onedrive: cloudApp('OneDrive', {
              authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
              tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
              apiUrl: 'https://graph.microsoft.com/v1.0',
            }),
            s3: { type: 'boolean', default: true, description: 'Whether users may connect buckets of S3 servers.' },
            webdav: { type: 'boolean', default: true, description: 'Whether users may connect WebDAV servers.' },
          },
          'Cloud storage that users may connect.',
        ),
      },
      'Import from URLs and cloud storage.',
    ),
    accounts: section(
      {
        registration: {
          type: 'boolean',
          default: true,
          description: 'Whether anybody may make an account; false: only npm run admin -- user create does.',
        },
        sessionLifetime: lifetime('7d', 'How long a sign-in lasts.'),
        resetLifetime: lifetime('30m', 'How long a mailed link to set a new password is valid.'),
        resetUrl: {
          type: 'string',
          format: 'http-url',
          description: 'The page that such a link opens, with #token=… behind it. Default: /reset of publicUrl.',
        },
        returnUrl: {
          type: 'string',
          format: 'http-url',
          description:
            'The page that an external sign-in ends at, with #token=… behind it. Default: none, JSON is sent.',
        },
        providers: {
          type: 'object',
          description: 'Where one can sign in besides. The redirect URI is <publicUrl>/api/auth/<key>/callback.',
          default: {},
          propertyNames: {
            type: 'string',
            pattern: '^(?!(providers|register|login|password-reset)$)[a-z][a-z0-9-]{0,31}$',
          },
          properties: { google: provider('Google.'), github: provider('GitHub.') },
          additionalProperties: provider('Any other OpenID Connect issuer.', 'issuer'),
        },
      },
      'Accounts and how one signs in.',
    ),
    sandbox: {
      type: 'string',
      enum: ['bubblewrap', 'none'],
      default: 'bubblewrap',
      description: 'none runs engines without isolation: unsafe for files of strangers, warns at every start.',
    },
    limits: section(
      {
        // Below these no engine starts.
        memory: bytes('2GB', "Resident memory of one conversion's processes together.", 128 * MB),
        disk: bytes('10GB', 'What one conversion may write.', 10 * MB),
        files: count(10_000, 100, 'Files that one conversion may write.'),
        freeDisk: bytes('1GB', 'Free space of the data folder below which uploads get STORAGE_FULL.', 0),
      },
      'What one conversion may use, then RESOURCE_LIMIT.',
    ),
    warm: section(
      {
        spares: { ...count(1, 0, 'Processes of each such engine kept ready. 0: none.'), maximum: 64 },
        reuse: {
          type: 'boolean',
          default: true,
          description: "Whether a process serves its owner's next conversions too; never another owner's.",
        },
        idle: duration('60s', 'How long a process waits for the next conversion of its owner.'),
      },
      'Engines that are started ahead of their job.',
    ),
    shutdown: section({ grace: duration('30s', 'How long SIGTERM waits for running conversions.', 0) }, 'The end.'),
    metrics: section(
      {
        port: {
          type: ['integer', 'null'],
          minimum: 0,
          maximum: 65535,
          default: null,
          description: 'TCP port for GET /metrics alone, in plain HTTP. null: none of its own.',
        },
        host: { type: 'string', minLength: 1, default: '127.0.0.1', description: 'Address that this port listens on.' },
        token: {
          type: 'string',
          minLength: 16,
          description: 'Bearer token that GET /metrics asks for. Default: none.',
        },
      },
      'Who may read metrics. In production nobody, without a port or a token.',
    ),
    log: section(
      {
        level: {
          type: 'string',
          enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
          default: 'info',
          description: 'Least level that is written.',
        },
      },
      'JSON lines on standard output.',
    ),
  },
  'The configuration file.',
)
