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
import { textOf } from './formats.ts'

/**
 * Every key of the configuration file with its default, as a closed JSON Schema (2020-12). The descriptions are the
 * documentation, and the type `Config` is derived from the schema. `example.yaml` shows all keys; a test checks that
 * both match. `bytes` and `duration` are custom keywords (units.ts); their value is the minimum.
 */

/** Milliseconds that a node which serves clients goes on after SIGTERM, by default. */
export const CLUSTER_DELAY = 10 * SECOND

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
      pendingJobs: nullable(countField(defaults.pendingJobs, 1, 'Conversions queued or processing at the same time.')),
      heavyConcurrency: nullable(countField(defaults.heavyConcurrency, 1, 'Heavy conversions at the same time.')),
      conversionsPerDay: nullable(countField(defaults.conversionsPerDay, 0, 'Conversions per day (UTC).')),
      bytesPerDay: nullable(sizeField(defaults.bytesPerDay, 'Bytes of source files per day (UTC).')),
      storedBytes: nullable(sizeField(defaults.storedBytes, 'Bytes of stored uploads and results.')),
      maxResultSize: nullable(sizeField(defaults.maxResultSize, 'Bytes of one result.')),
      requestsPerMinute: nullable(countField(defaults.requestsPerMinute, 1, 'API requests per minute, in production.')),
      requestsPerHour: nullable(countField(defaults.requestsPerHour, 1, 'API requests per hour, in production.')),
      filesPerBatch: nullable(countField(defaults.filesPerBatch, 1, 'Files in one batch.')),
      apiKeys: nullable(countField(defaults.apiKeys, 0, 'Active API keys.')),
    },
    description,
  )

/** Limits of a group of requests, per minute and per hour; null: no limit. */
const rate = (perMinute: number, perHour: number, description: string) =>
  section(
    {
      perMinute: nullable(countField(perMinute, 1, 'Requests per minute.')),
      perHour: nullable(countField(perHour, 1, 'Requests per hour.')),
    },
    description,
  )

const pluginEntry = {
  type: ['boolean', 'object'],
  expected: 'true, false or an object of settings',
  description: 'true: enabled. false: disabled, its tools answer 403. An object: enabled, with these settings.',
} as const

/** The bundled plugins: those that are open by default, and those that are not loaded unless they are named. */
const bundled = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const extra = ['subtitle', 'font']

/** Settings of the page at `/`. */
const page = {
  type: ['boolean', 'object'],
  expected: 'true, false or an object with keys from name, notice, imprint, colour',
  description: 'The web page at /. false: no page. An object changes it.',
  properties: {
    name: { ...textField('Name of the service on the page. Default: Athanor.'), maxLength: 60 },
    notice: { ...textField('Text above the list of files, for example who may use the service.'), maxLength: 500 },
    imprint: urlField('Link in the footer to information about the operator.'),
    colour: {
      type: 'string',
      pattern: '^#[0-9a-fA-F]{6}$',
      expected: 'a colour such as #0d5f54',
      description: 'Colour of buttons and links, dark enough for white text on it.',
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
    { ...urlField(`Endpoint of ${label}. Rarely changed.`), default: value },
  ])
  const app = object(
    {
      clientId: textField(`Client id of the application that you registered at ${label}.`),
      clientSecret: textField('Client secret of that application.'),
      ...(Object.fromEntries(places) as { [K in keyof Urls]: { type: 'string'; default: string } }),
    },
    `${label}: the application through which users grant access to their files. null: not offered.`,
  )
  return nullByDefault({ ...app, required: idAndSecret })
}

/** A registration at a sign-in provider. @param required Required keys. */
const provider = <const R extends readonly string[]>(description: string, required: R) => ({
  ...object(
    {
      issuer: {
        ...textOf('https-url'),
        description: 'URL of the OpenID Connect issuer, or of a GitHub Enterprise server.',
      },
      clientId: textField('Client id of this service at the provider.'),
      clientSecret: textField('Client secret of this service at the provider.'),
      name: { ...textField('Name shown to users. Default: the key.'), maxLength: 60 },
      scopes: {
        type: 'array',
        items: { type: 'string', pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', expected: 'a scope' },
        description: 'Requested scopes. Default: openid, email and profile; for GitHub: read:user and user:email.',
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
      description: 'TCP port. 0: any free port.',
    },
    host: textField('Address to listen on. Default: 127.0.0.1; in production 0.0.0.0.'),
    profile: {
      type: 'string',
      enum: ['home'],
      description: 'home: no limits, plain HTTP only for private networks, no registration.',
    },
    publicUrl: urlField('Base of each outputUrl. Default: taken from the request.'),
    trustedProxies: listField(
      textOf('cidr'),
      'Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host the service trusts.',
    ),
    page,
    plans: section(
      {
        guest: plan('Clients without an account.', {
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
        free: plan('New accounts.', {
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
        pro: plan('Accounts that an administrator gave this plan.', {
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
        business: plan('Accounts that an administrator gave this plan.', {
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
      'Limits of each plan. null: no limit.',
    ),
    plugins: {
      type: 'object',
      expected: 'an object of plugins by name',
      description:
        'Plugins by name: a folder of plugins/, an npm package, or a path relative to this file. Others are not loaded.',
      properties: Object.fromEntries(
        [...bundled, ...extra].map((name) => [name, { ...pluginEntry, default: bundled.includes(name) }]),
      ),
      additionalProperties: pluginEntry,
      default: {},
    },
    tools: section(
      {
        disabled: listField(
          { type: 'string', pattern: '^[a-z0-9.*-]+$', expected: 'a slug such as png-to-webp or *-to-exr' },
          'Slugs of tools that answer 403, such as png-to-webp. * matches any text.',
        ),
      },
      'Settings of single tools. A tool is one pair of formats.',
    ),
    ocr: section(
      {
        languages: listField(
          { type: 'string', pattern: '^[A-Za-z_]+$', expected: 'the name of a language such as eng or chi_sim' },
          'Languages of scanned pages, as Tesseract calls them, most wanted first. Empty: all that are installed.',
        ),
      },
      'Text recognition.',
    ),
    prefer: listField(
      { type: 'string', minLength: 1 },
      'Preferred engines, best first, for pairs that several engines can convert.',
    ),
    queue: section(
      {
        capacity: countField(1000, 1, 'Waiting conversions of all clients. Above it, new ones get QUEUE_FULL_GLOBAL.'),
        workers: nullByDefault(
          countField(
            1,
            1,
            'Conversions at the same time. null: twice the number of cores, but at most one per 256 MB of memory, and at least 2.',
          ),
        ),
        heavyWorkers: nullByDefault(
          countField(
            1,
            1,
            'Heavy conversions at the same time. null: half the number of cores, but at most one per GB of memory, and at least 1.',
          ),
        ),
      },
      'Queue and workers of the whole service.',
    ),
    timeouts: section(
      {
        light: durationField(120, 'Time limit of a light conversion.'),
        heavy: durationField(3600, 'Time limit of a heavy conversion.'),
        stalled: nullable(
          durationField(60, 'How long an engine may use no CPU time and report no progress. null: no limit.'),
        ),
      },
      'Time limits of one conversion. After them, it fails with TIMEOUT.',
    ),
    retention: section(
      { guest: lifetimeField('2h', "A guest's files."), account: lifetimeField('24h', "An account's files.") },
      'How long the service keeps uploads, results and records of finished conversions.',
    ),
    storage: section(
      {
        cacheSize: sizeField(
          '10GB',
          'Bytes of files from an S3 server that are kept in the data folder. Files in use count, and stay.',
          0,
        ),
        redirectDownloads: flagField(
          false,
          'Whether downloads are redirected to signed links of the S3 server, valid for 60 s. They outlive a suspension. Needs `PUBLIC_URL` and a server of another site.',
        ),
      },
      'Storage on an S3 server, which `STORAGE_URL` names.',
    ),
    downloads: section(
      { tokenLifetime: lifetimeField('15m', 'How long a link in outputUrl is valid.', 10 * SECOND) },
      'Signed download links.',
    ),
    rates: section(
      {
        conversions: rate(10, 100, 'Starts of conversions. A batch counts once.'),
        uploads: rate(10, 60, 'Uploads and imports.'),
        downloads: rate(30, 200, 'Downloads and other requests for a file.'),
        authentication: rate(10, 50, 'Sign-ins, registrations and password resets, per IP address.'),
        ceiling: nullable(countField(5000, 1, 'All requests in 15 minutes.')),
      },
      'Rate limits per account, or per IP address for guests. Enforced in production only. null: no limit.',
    ),
    cors: section(
      {
        origins: listField(
          textOf('origin'),
          'Origins whose pages may call the API from a browser. *: every origin. Others get 403, except for GET and HEAD.',
        ),
      },
      'Requests from web pages of other origins.',
    ),
    http: section(
      {
        hosts: listField(
          { type: 'string', pattern: '^[A-Za-z0-9._-]{1,253}$', expected: 'a host name without a port' },
          'Host names that clients may use over plain HTTP, besides localhost and the host of publicUrl.',
        ),
        headersTimeout: durationField('30s', 'How long the headers of a request may take to arrive.'),
        bodyTimeout: durationField('30s', 'How long a JSON body may take to arrive.'),
        // The minimum must be longer than the longest `wait` for a conversion.
        idleTimeout: durationField('120s', 'How long a connection may be idle.', MINUTE),
        uploadPace: sizeField('1KB', 'Bytes per second that an upload must send, averaged over bodyTimeout.', 1),
        downloadPace: sizeField(
          '4KB',
          'Bytes per second that a client must read of an answer. Otherwise its connection is closed.',
          1,
        ),
        downloadGrace: durationField('30s', 'How far a client may fall behind downloadPace, in addition to 256 KiB.'),
        downloads: countField(20, 1, 'Downloads at the same time per account, or per IP address for guests.'),
        streams: countField(
          5,
          1,
          'Streams of events at the same time per account or guest; four times as many per IP address of guests. Another one ends the oldest.',
        ),
        streamLifetime: durationField('10m', 'How long a stream of events lasts. Clients then open another one.'),
        streamComment: durationField('15s', 'Time between two comments in a stream, which keep its connection open.'),
      },
      'Connections: host names, timeouts, speeds.',
    ),
    imports: section(
      {
        timeout: durationField(
          '60s',
          'Time limit of one import, from the request to the last byte. After it: IMPORT_FAILED.',
        ),
        allowNetworks: listField(
          textOf('cidr'),
          'Private networks that imports may reach. Your clients can then read files from there.',
        ),
        nameServers: listField(
          textOf('name-server'),
          "DNS servers that resolve the host names in URLs. Default: the system's.",
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
      'Imports from URLs and cloud storage.',
    ),
    doors: section(
      {
        agents: flagField(true, 'Whether /mcp and /llms.txt are there, for agents.'),
        gotenberg: flagField(
          false,
          'Whether POST /forms/libreoffice/convert answers as Gotenberg does, for programs that call Gotenberg.',
        ),
        gotenbergAccount: {
          ...textField(
            'Email address of the account that owns what clients of this door convert without a credential. Default: they are guests.',
          ),
          maxLength: 254,
        },
        gotenbergTimeout: durationField('5m', 'How long one request of this door may take. After it: 503.'),
      },
      'Protocols of other services.',
    ),
    webhooks: section(
      {
        allowNetworks: listField(
          textOf('cidr'),
          'Private networks to which webhooks may deliver, such as that of an automation server.',
        ),
      },
      'Deliveries of events to webhooks of accounts.',
    ),
    watch: listField(
      {
        ...object(
          {
            from: textField('Folder to watch. What is in folders below it stays there.'),
            to: textField('Format that each file becomes. Those that have it are optimised.'),
            into: textField('Folder for the results. It is made if it is missing.'),
            options: { type: 'object', expected: 'an object of options', default: {}, description: 'Options.' },
            after: {
              type: 'string',
              enum: ['archive', 'delete', 'keep'],
              default: 'archive',
              description: 'What becomes of a converted file: it moves to archive/, is deleted, or stays.',
            },
            plan: {
              type: 'string',
              enum: ['guest', 'free', 'pro', 'business'],
              default: 'business',
              description: 'Plan whose limits hold for the folder.',
            },
          },
          'A folder to watch.',
        ),
        required: ['from', 'to', 'into'],
      },
      'Folders whose files are converted as they arrive.',
    ),
    accounts: section(
      {
        registration: flagField(
          true,
          'Whether anybody may register. false: only npm run admin -- user create makes accounts.',
        ),
        registrationsPerDay: nullable(
          countField(
            5,
            1,
            'Registrations a day (UTC) from an IP address, in production; 4 and 16 times as many from an IPv6 /56 and /48. null: no limit.',
          ),
        ),
        sessionLifetime: lifetimeField('7d', 'How long a session lasts.'),
        resetLifetime: lifetimeField('30m', 'How long a mailed link for a new password is valid.'),
        resetUrl: urlField('Page that such a link opens; #token=… is appended. Default: /reset under publicUrl.'),
        returnUrl: urlField(
          'Page to which sign-in with a provider returns; #token=… is appended. Default: none, JSON is sent.',
        ),
        trustedHeader: nullByDefault({
          ...object(
            {
              name: {
                type: 'string',
                pattern: '^[A-Za-z0-9-]{1,64}$',
                expected: 'the name of a header such as Remote-Email',
                description:
                  'Header with the email address, such as Remote-Email or Cf-Access-Authenticated-User-Email.',
              },
              createAccounts: flagField(false, 'Whether an address without an account gets one, at its first request.'),
            },
            'Sign-in by a header of a proxy in trustedProxies. The proxy must remove it from what clients send. null: off.',
          ),
          required: ['name'],
        }),
        providers: {
          type: 'object',
          expected: 'an object of providers by name',
          description: 'Providers for sign-in. Register <publicUrl>/api/auth/<key>/callback there as redirect URI.',
          default: {},
          propertyNames: {
            type: 'string',
            expected: 'a name of up to 32 of a-z, 0-9 and -, starting with a letter, and none of the reserved names',
            pattern: '^(?!(providers|register|login|password-reset)$)[a-z][a-z0-9-]{0,31}$',
          },
          properties: { google: provider('Google.', idAndSecret), github: provider('GitHub.', idAndSecret) },
          additionalProperties: provider('Any other OpenID Connect provider.', [...idAndSecret, 'issuer']),
        },
      },
      'Accounts and sign-in.',
    ),
    sandbox: {
      type: 'string',
      enum: ['bubblewrap', 'none'],
      default: 'bubblewrap',
      description: 'none: engines run without isolation, which is unsafe for untrusted files; each start warns.',
    },
    limits: section(
      {
        // Below these minimums, no engine starts.
        memory: sizeField('2GB', 'Resident memory of all processes of one conversion together.', 128 * MB),
        disk: sizeField('10GB', 'Bytes that one conversion may write.', 10 * MB),
        files: countField(10_000, 100, 'Files that one conversion may write.'),
        freeDisk: sizeField('1GB', 'If the data folder has less free space, uploads and starts get STORAGE_FULL.', 0),
      },
      'Limits of one conversion. Above them, it fails with RESOURCE_LIMIT.',
    ),
    warm: section(
      {
        memory: sizeField(
          '512MB',
          'Memory that idle processes may use together, at most a quarter of the memory. If it is too little for all, some engines have no spare process, and fewer processes wait for their owners.',
          0,
        ),
        spares: {
          ...countField(
            1,
            0,
            'Spare processes of each such engine, ready for owners who have none. A used one is replaced as soon as a core is idle. 0: none.',
          ),
          maximum: 64,
        },
        reuse: flagField(
          true,
          'Whether a process also serves later conversions of its owner. It never serves another owner.',
        ),
        idle: durationField('60s', 'How long such a process waits for the next conversion of its owner.'),
      },
      'Engines that the service starts in advance, before a conversion needs them.',
    ),
    shutdown: section(
      {
        grace: durationField(
          '30s',
          'How long the service waits for running conversions and open requests after SIGTERM.',
          0,
        ),
        delay: nullByDefault(
          durationField(
            0,
            `How long the service still serves everyone after SIGTERM, before that, while /readyz answers 503. Meanwhile, load balancers learn that they must send requests elsewhere. null: ${CLUSTER_DELAY / SECOND}s with REDIS_URL on nodes that serve clients, otherwise 0s.`,
            0,
          ),
        ),
      },
      'Shutdown.',
    ),
    metrics: section(
      {
        port: {
          type: ['integer', 'null'],
          minimum: 0,
          maximum: 65535,
          default: null,
          description: 'TCP port that serves only GET /metrics, over plain HTTP. null: no separate port.',
        },
        host: { ...textField('Address to listen on with this port.'), default: '127.0.0.1' },
        token: { ...textField('Bearer token that GET /metrics requires. Default: none.'), minLength: 16 },
      },
      'Access to metrics. In production, they need a port or a token.',
    ),
    log: section(
      {
        level: {
          type: 'string',
          enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
          default: 'info',
          description: 'Lowest level that is written.',
        },
      },
      'Log: JSON lines on standard output.',
    ),
  },
  'The configuration file.',
)
