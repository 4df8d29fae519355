import {
  countField,
  durationField,
  flagField,
  lifetimeField,
  listField,
  MB,
  MINUTE,
  nullable,
  nullByDefault,
  object,
  SECOND,
  section,
  sizeField,
  textField,
  urlField,
} from './fields.ts'

/**
 * Every key of the configuration file with its default, as a closed JSON Schema (2020-12). The descriptions are the
 * documentation, and the type `Config` is derived from the schema. `example.yaml` shows all keys; a test checks that
 * both match. `bytes` and `duration` are custom keywords (units.ts); their value is the minimum.
 */

/** Defaults of one plan; null: no limit. */
interface PlanDefaults {
  maxFileSize: string
  pendingJobs: number
  heavyConcurrency: number
  conversionsPerDay: number
  bytesPerDay: string
  storedBytes: string
  maxResultSize: string
  requestsPerMinute: number
  requestsPerHour: number
  filesPerBatch: number
  apiKeys: number
}

const plan = (description: string, defaults: PlanDefaults) =>
  section(
    {
      maxFileSize: nullable(sizeField(defaults.maxFileSize, 'Bytes of one file.')),
      pendingJobs: nullable(countField(defaults.pendingJobs, 1, 'Conversions queued or processing at one time.')),
      heavyConcurrency: nullable(countField(defaults.heavyConcurrency, 1, 'Heavy conversions processing at one time.')),
      conversionsPerDay: nullable(countField(defaults.conversionsPerDay, 0, 'Conversions a day (UTC).')),
      bytesPerDay: nullable(sizeField(defaults.bytesPerDay, 'Bytes of sources converted a day (UTC).')),
      storedBytes: nullable(sizeField(defaults.storedBytes, 'Bytes of uploads and results kept at one time.')),
      maxResultSize: nullable(sizeField(defaults.maxResultSize, 'Bytes of one result.')),
      requestsPerMinute: nullable(countField(defaults.requestsPerMinute, 1, 'API requests a minute, in production.')),
      requestsPerHour: nullable(countField(defaults.requestsPerHour, 1, 'API requests an hour, in production.')),
      filesPerBatch: nullable(countField(defaults.filesPerBatch, 1, 'Files of one batch.')),
      apiKeys: nullable(countField(defaults.apiKeys, 0, 'Active API keys.')),
    },
    description,
  )

/** Limits of a group of requests, per minute and per hour; null: no limit. */
const rate = (perMinute: number, perHour: number, description: string) =>
  section(
    {
      perMinute: nullable(countField(perMinute, 1, 'In a minute.')),
      perHour: nullable(countField(perHour, 1, 'In an hour.')),
    },
    description,
  )

const pluginEntry = {
  type: ['boolean', 'object'],
  description: 'true opens it, false closes it (its tools answer 403), an object is its settings, if it takes any.',
} as const

/** The bundled plugins. */
const bundled = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']

/** Settings of the page at `/`. */
const page = {
  type: ['boolean', 'object'],
  description: 'The page for people at /. false closes it; an object changes it.',
  properties: {
    name: { ...textField('What the page calls the service. Default: Athanor.'), maxLength: 60 },
    notice: { ...textField('A sentence above the files, such as who may use the service.'), maxLength: 500 },
    imprint: urlField('A link in the footer to who runs the service.'),
    colour: {
      type: 'string',
      pattern: '^#[0-9a-fA-F]{6}$',
      title: 'a colour such as #0d5f54',
      description: 'Of buttons and links. White text must be readable on it.',
    },
  },
  additionalProperties: false,
  default: true,
} as const

/** Required keys of every registration at a provider. */
const idAndSecret = ['clientId', 'clientSecret'] as const

/** An application at a cloud provider, with the provider's endpoints. */
const cloudApp = <const Urls extends Record<string, string>>(label: string, urls: Urls) => {
  const places = Object.entries(urls).map(([key, value]) => [
    key,
    { ...urlField(`Where ${label} has it.`), default: value },
  ])
  const app = object(
    {
      clientId: textField(`Of the application that is registered at ${label}.`),
      clientSecret: textField('The secret of that application.'),
      ...(Object.fromEntries(places) as { [K in keyof Urls]: { type: 'string'; default: string } }),
    },
    `${label}: the application that asks people for their files; null: not offered.`,
  )
  return nullByDefault({ ...app, required: idAndSecret })
}

/** A registration at a sign-in provider. @param required Required keys. */
const provider = <const R extends readonly string[]>(description: string, required: R) => ({
  ...object(
    {
      issuer: {
        type: 'string',
        format: 'https-url',
        description: "The OpenID Connect issuer, or GitHub's own server.",
      },
      clientId: textField('What the provider calls this service.'),
      clientSecret: textField('The secret that goes with it.'),
      name: { ...textField('For people. Default: the key.'), maxLength: 60 },
      scopes: {
        type: 'array',
        items: { type: 'string', pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', title: 'scopes' },
        description: 'What to ask for. Default: openid, email and profile; of GitHub read:user and user:email.',
      },
    },
    description,
  ),
  required,
})

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
    host: textField('Address to listen on. Default 127.0.0.1, in production 0.0.0.0.'),
    profile: {
      type: 'string',
      enum: ['home'],
      description: 'home: guests without limits, plain HTTP only for private networks, no registration.',
    },
    publicUrl: urlField('Base of the outputUrl that clients get. Default: from the request.'),
    trustedProxies: listField(
      { type: 'string', format: 'cidr' },
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    ),
    page,
    plans: section(
      {
        guest: plan('Without an account.', {
          maxFileSize: '25MB',
          pendingJobs: 5,
          heavyConcurrency: 1,
          conversionsPerDay: 10,
          bytesPerDay: '250MB',
          storedBytes: '500MB',
          maxResultSize: '500MB',
          requestsPerMinute: 30,
          requestsPerHour: 500,
          filesPerBatch: 2,
          apiKeys: 0,
        }),
        free: plan('An account that pays nothing.', {
          maxFileSize: '100MB',
          pendingJobs: 10,
          heavyConcurrency: 1,
          conversionsPerDay: 25,
          bytesPerDay: '1GB',
          storedBytes: '2GB',
          maxResultSize: '1GB',
          requestsPerMinute: 30,
          requestsPerHour: 500,
          filesPerBatch: 5,
          apiKeys: 0,
        }),
        pro: plan('An account that pays.', {
          maxFileSize: '2GB',
          pendingJobs: 20,
          heavyConcurrency: 2,
          conversionsPerDay: 500,
          bytesPerDay: '3GB',
          storedBytes: '50GB',
          maxResultSize: '10GB',
          requestsPerMinute: 120,
          requestsPerHour: 2000,
          filesPerBatch: 20,
          apiKeys: 5,
        }),
        business: plan('An account that pays more.', {
          maxFileSize: '5GB',
          pendingJobs: 50,
          heavyConcurrency: 4,
          conversionsPerDay: 5000,
          bytesPerDay: '50GB',
          storedBytes: '250GB',
          maxResultSize: '10GB',
          requestsPerMinute: 300,
          requestsPerHour: 5000,
          filesPerBatch: 50,
          apiKeys: 20,
        }),
      },
      'What each plan allows. null lifts a limit.',
    ),
    plugins: {
      type: 'object',
      description: 'By folder of plugins/, npm package, or path from this file. One that is not listed does not exist.',
      properties: Object.fromEntries(bundled.map((name) => [name, { ...pluginEntry, default: true }])),
      additionalProperties: pluginEntry,
      default: {},
    },
    tools: section(
      {
        disabled: listField(
          { type: 'string', pattern: '^[a-z0-9.*-]+$', title: 'slugs such as png-to-webp or *-to-exr' },
          'Slugs of tools that answer 403, such as png-to-webp; * stands for anything.',
        ),
      },
      'Single tools.',
    ),
    prefer: listField(
      { type: 'string', minLength: 1 },
      'Engines to take where several can make a pair, most wanted first.',
    ),
    queue: section(
      {
        capacity: countField(1000, 1, 'Conversions waiting in all; above it QUEUE_FULL_GLOBAL.'),
        workers: nullByDefault(countField(1, 1, 'Conversions processing at one time. null: twice the cores.')),
        heavyWorkers: nullByDefault(
          countField(1, 1, 'Heavy conversions processing at one time. null: half the cores, at least 1.'),
        ),
      },
      'The queue.',
    ),
    timeouts: section(
      {
        light: durationField(120, 'Wall time of a light conversion.'),
        heavy: durationField(3600, 'Wall time of a heavy conversion.'),
        stalled: nullable(
          durationField(60, 'How long a program may use no CPU time and make no progress. null: as long as it likes.'),
        ),
      },
      'Time of one conversion, then TIMEOUT.',
    ),
    retention: section(
      { guest: lifetimeField('2h', "A guest's files."), account: lifetimeField('24h', "An account's files.") },
      'How long uploads, results and finished records are kept.',
    ),
    downloads: section(
      { tokenLifetime: lifetimeField('15m', 'How long a link in outputUrl is valid.', 10 * SECOND) },
      'Signed links.',
    ),
    rates: section(
      {
        conversions: rate(10, 100, 'Conversions that are started; a batch counts once.'),
        uploads: rate(10, 60, 'Uploads and imports.'),
        downloads: rate(30, 200, 'Downloads, and whatever else is asked of a file.'),
        authentication: rate(10, 50, 'Signing in and up, and resetting passwords, by address.'),
        ceiling: nullable(countField(5000, 1, 'Requests of all kinds in 15 minutes.')),
      },
      'Requests by account, or by address without one, in production. null lifts a limit.',
    ),
    cors: section(
      {
        origins: listField(
          { type: 'string', format: 'origin' },
          'Origins whose pages may use the interface from a browser; * is any. None by default.',
        ),
      },
      'Pages of other origins.',
    ),
    http: section(
      {
        hosts: listField(
          { type: 'string', pattern: '^[A-Za-z0-9._-]{1,253}$', title: 'host names without a port' },
          'Names that clients may use besides localhost and that of publicUrl, where plain HTTP is served.',
        ),
        headersTimeout: durationField('30s', "How long a request's headers may take to arrive."),
        bodyTimeout: durationField('30s', 'How long a JSON body may take to arrive.'),
        // The minimum must be longer than the longest `wait` for a conversion.
        idleTimeout: durationField('120s', 'How long a connection may be silent; at least 60s.', MINUTE),
        uploadPace: sizeField('1KB', 'What an upload must bring a second, averaged over bodyTimeout.', 1),
        downloadPace: sizeField(
          '4KB',
          'What a client must read of an answer a second, or its connection is closed.',
          1,
        ),
        downloadGrace: durationField('30s', 'How far behind downloadPace a client may be, besides 256 KiB.'),
        downloads: countField(20, 1, 'Downloads of one client at a time: of an account, or of an address without one.'),
      },
      'How clients reach the service, and how long it waits for them.',
    ),
    imports: section(
      {
        timeout: durationField('60s', 'One import, from the request to its last byte; then IMPORT_FAILED.'),
        allowNetworks: listField(
          { type: 'string', format: 'cidr' },
          'Addresses or CIDRs that imports may reach besides public ones: your clients read what is there.',
        ),
        nameServers: listField(
          { type: 'string', format: 'name-server' },
          "DNS servers that are asked for the names in URLs. Default: the system's.",
        ),
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
            s3: flagField(true, 'Whether users may connect buckets of S3 servers.'),
            webdav: flagField(true, 'Whether users may connect WebDAV servers.'),
          },
          'Cloud storage that users may connect.',
        ),
      },
      'Import from URLs and cloud storage.',
    ),
    accounts: section(
      {
        registration: flagField(
          true,
          'Whether anybody may make an account; false: only npm run admin -- user create does.',
        ),
        sessionLifetime: lifetimeField('7d', 'How long a sign-in lasts.'),
        resetLifetime: lifetimeField('30m', 'How long a mailed link to set a new password is valid.'),
        resetUrl: urlField('The page that such a link opens, with #token=… behind it. Default: /reset of publicUrl.'),
        returnUrl: urlField(
          'The page that an external sign-in ends at, with #token=… behind it. Default: none, JSON is sent.',
        ),
        providers: {
          type: 'object',
          description: 'Where one can sign in besides. The redirect URI is <publicUrl>/api/auth/<key>/callback.',
          default: {},
          propertyNames: {
            type: 'string',
            pattern: '^(?!(providers|register|login|password-reset)$)[a-z][a-z0-9-]{0,31}$',
          },
          properties: { google: provider('Google.', idAndSecret), github: provider('GitHub.', idAndSecret) },
          additionalProperties: provider('Any other OpenID Connect issuer.', [...idAndSecret, 'issuer']),
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
        // Below these minimums, no engine starts.
        memory: sizeField('2GB', "Resident memory of one conversion's processes together.", 128 * MB),
        disk: sizeField('10GB', 'What one conversion may write.', 10 * MB),
        files: countField(10_000, 100, 'Files that one conversion may write.'),
        freeDisk: sizeField('1GB', 'Free space of the data folder below which uploads get STORAGE_FULL.', 0),
      },
      'What one conversion may use, then RESOURCE_LIMIT.',
    ),
    warm: section(
      {
        spares: { ...countField(1, 0, 'Processes of each such engine kept ready. 0: none.'), maximum: 64 },
        reuse: flagField(true, "Whether a process serves its owner's next conversions too; never another owner's."),
        idle: durationField('60s', 'How long a process waits for the next conversion of its owner.'),
      },
      'Engines that are started ahead of their job.',
    ),
    shutdown: section(
      { grace: durationField('30s', 'How long SIGTERM waits for running conversions.', 0) },
      'The end.',
    ),
    metrics: section(
      {
        port: {
          type: ['integer', 'null'],
          minimum: 0,
          maximum: 65535,
          default: null,
          description: 'TCP port that serves only GET /metrics, in plain HTTP. null: no port of its own.',
        },
        host: { ...textField('Address that this port listens on.'), default: '127.0.0.1' },
        token: { ...textField('Bearer token that GET /metrics asks for. Default: none.'), minLength: 16 },
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
