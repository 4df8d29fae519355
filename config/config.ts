/** The configuration as the kernel reads it: every knob, checked, with its default applied. */

export type PlanName = 'guest' | 'free' | 'pro' | 'business'

/** What one plan allows; null lifts a limit. */
export interface Plan {
  /** Bytes of one file. */
  maxFileSize: number | null
  /** Conversions queued or processing at one time. */
  pendingJobs: number | null
  /** Heavy conversions processing at one time. */
  heavyConcurrency: number | null
  conversionsPerDay: number | null
  bytesPerDay: number | null
  /** Bytes of uploads and results that are kept at one time. */
  storedBytes: number | null
  /** Bytes of one result. */
  maxResultSize: number | null
  requestsPerMinute: number | null
  requestsPerHour: number | null
  filesPerBatch: number | null
  apiKeys: number | null
}

/** Requests in the two windows of a family; null lifts a limit. */
export interface Rate {
  perMinute: number | null
  perHour: number | null
}

/** An application that is registered at a cloud provider, and where the provider is: URLs without a slash at the end. */
export interface CloudApp {
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  apiUrl: string
  /** Google Drive's. */
  revokeUrl?: string
  /** Dropbox's: where the bytes of files come from. */
  contentUrl?: string
}

/** How the service is registered at an OpenID Connect provider, or at GitHub. */
export interface ProviderSettings {
  /** The issuer's URL; of GitHub Enterprise Server its site. */
  issuer?: string
  clientId: string
  clientSecret: string
  /** For people. */
  name?: string
  scopes?: readonly string[]
}

export interface Config {
  /** Of this release. */
  version: string
  mode: 'production' | 'development'
  /** `home`: plain HTTP for private networks, and for nobody else. */
  profile?: 'home'
  port: number
  host: string
  /** Absolute path of the folder for everything that the embedded default keeps. */
  dataDir: string
  /** The same folder's path for people: the start script of root shows it to the service elsewhere. */
  dataDirOnHost: string
  /** Absolute path of the folder that relative plugin paths start from: the configuration file's, else the checkout. */
  baseDir: string
  /** `mysql://…`, or undefined for SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** Base of `outputUrl`, without a trailing slash; undefined: from the request. */
  publicUrl: string | undefined
  /** Signs sessions and download tokens; undefined (development only): made and kept in `dataDir`. */
  jwtSecret: string | undefined
  /** CIDRs of the proxies whose X-Forwarded-For and -Proto are believed. */
  trustedProxies: readonly string[]
  /** PEM files. */
  tls: { cert: string; key: string } | undefined
  plans: Record<PlanName, Plan>
  /** Plugins by folder name, npm package or path: false closes it, an object is its settings. */
  plugins: Record<string, boolean | Record<string, unknown>>
  /** Slugs, `*` allowed, that answer 403. */
  tools: { disabled: readonly string[] }
  /** Engine names, most wanted first. */
  prefer: readonly string[]
  queue: {
    /** Conversions waiting in all, above it QUEUE_FULL_GLOBAL. */
    capacity: number
    /** Conversions processing at one time; null: twice the cores. */
    workers: number | null
    /** Heavy conversions processing at one time; null: half the cores, at least one. */
    heavyWorkers: number | null
  }
  timeouts: {
    /** Milliseconds of wall time for one conversion. */
    light: number
    heavy: number
    /** Milliseconds without CPU time and progress after which a conversion is ended; null: none. */
    stalled: number | null
  }
  /** Milliseconds that uploads, outputs and finished records are kept. */
  retention: { guest: number; account: number }
  /** Milliseconds. */
  downloads: { tokenLifetime: number }
  /** How often clients may ask, in production; null lifts a limit. API requests are limited by plan. */
  rates: {
    conversions: Rate
    uploads: Rate
    downloads: Rate
    /** By address. */
    authentication: Rate
    /** Requests of all kinds in 15 minutes. */
    ceiling: number | null
  }
  cors: {
    /** Origins whose pages may use the interface from a browser; `*` is any. */
    origins: readonly string[]
  }
  /** How the service is reached, and how long it waits for a client, in milliseconds. */
  http: {
    /** Names by which clients may reach the service besides its own. */
    hosts: readonly string[]
    /** For a request's headers. */
    headersTimeout: number
    /** For a JSON body. */
    bodyTimeout: number
    /** For the next byte in either direction. */
    idleTimeout: number
    /** Bytes a second that an upload must bring, averaged over `bodyTimeout`. */
    uploadPace: number
    /** Bytes a second that a client must read of an answer. */
    downloadPace: number
    /** Milliseconds by which a client may be behind `downloadPace` before its connection is closed. */
    downloadGrace: number
    /** Downloads of one client at a time: of an account, or of an address without one. */
    downloads: number
  }
  imports: {
    /** Milliseconds for one import, from the request to its last byte. */
    timeout: number
    /** Addresses and CIDRs that imports may reach besides public addresses. */
    allowNetworks: readonly string[]
    /** DNS servers for the names in URLs; none: the system's. */
    nameServers: readonly string[]
    /** Cloud storage by name: the application registered there; true for what users name themselves. */
    providers: Readonly<Record<string, CloudApp | boolean | null>>
  }
  accounts: {
    /** Whether anybody may make an account; otherwise only an administrator. */
    registration: boolean
    /** Milliseconds that a sign-in lasts. */
    sessionLifetime: number
    /** Milliseconds that a link to set a new password is valid. */
    resetLifetime: number
    /** The page that a reset link opens, with the token in its fragment; undefined: `/reset` of `publicUrl`. */
    resetUrl?: string
    /** The page that a browser ends at after an external sign-in, with the token in its fragment; undefined: JSON. */
    returnUrl?: string
    /** Where one can sign in besides, by the id that stands in paths. All but `google` and `github` have an issuer. */
    providers: Record<string, ProviderSettings>
  }
  /** Where mail goes; undefined: nowhere, and in development to the log. */
  smtp: { url: string; from: string } | undefined
  sandbox: 'bubblewrap' | 'none'
  limits: {
    /** Bytes of memory of one conversion's processes together, with their files in memory, page tables and sockets. */
    memory: number
    /** Bytes that one conversion may write to disk. */
    disk: number
    /** Files that one conversion may write. */
    files: number
    /** Free bytes of the data folder below which uploads and starts get STORAGE_FULL. */
    freeDisk: number
  }
  warm: {
    /** Processes of each warm engine kept ready. */
    spares: number
    /** Whether a process may serve one owner's next jobs too. */
    reuse: boolean
    /** Milliseconds that a process waits for its owner's next job. */
    idle: number
  }
  /** Milliseconds that SIGTERM waits for running conversions before it hands them back. */
  shutdown: { grace: number }
  /** Who may read `GET /metrics`. Without port and token: nobody in production. */
  metrics: {
    /** TCP port of its own, in plain HTTP; null: none, the public port serves it. */
    port: number | null
    /** Address that the own port listens on. */
    host: string
    /** What a scraper sends as a bearer token; undefined: none is asked for. */
    token?: string | undefined
  }
  log: { level: string }
}
