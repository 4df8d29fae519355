import type { FromSchema } from './from-schema.ts'
import type { fileSchema } from './schema.ts'
import type { StoragePlace } from './storage-url.ts'

/** The checked configuration file with its defaults. */
export type FileConfig = FromSchema<typeof fileSchema>

/** `all`: it serves clients and converts. `api`: it only serves clients. `worker`: it only converts. */
export type NodeRole = 'all' | 'api' | 'worker'

/**
 * The configuration of the kernel. schema.ts documents the keys of the file. Sizes are bytes, durations milliseconds.
 * The other keys are derived from the file, the environment and the machine.
 */
export interface Config extends Omit<FileConfig, 'host' | 'publicUrl' | 'shutdown'> {
  /** Version of this release. */
  version: string
  /** Its commit; undefined: not known. */
  commit: string | undefined
  mode: 'production' | 'development'
  /** Address to listen on. */
  host: string
  /** Unix socket to listen on instead: a program has started the service for itself. */
  socket: string | undefined
  /** Absolute path of the folder for stored files, generated secrets and the SQLite database. */
  dataDir: string
  /** Path of the same folder on the host. Differs if root's start script mounts it elsewhere for the service. */
  dataDirOnHost: string
  /** Absolute base of relative plugin paths: the folder of the configuration file, otherwise the checkout. */
  baseDir: string
  shutdown: Record<keyof FileConfig['shutdown'], number>
  /** `mysql://…`, or undefined for SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** `redis://…`: this is one of several nodes. Undefined: the only one, with a queue in the process. */
  redisUrl: string | undefined
  /** Whether spans are sent to a collector. Its packages read the standard variables themselves. */
  tracing: boolean
  /** What this node is for. Without other nodes: `all`. */
  role: NodeRole
  /** Where uploads and results are stored; undefined: in `dataDir`. */
  storagePlace: StoragePlace | undefined
  /** Base of `outputUrl`, without a trailing slash; undefined: taken from the request. */
  publicUrl: string | undefined
  /** Signs sessions and download tokens; undefined (development or home profile): generated and kept in `dataDir`. */
  jwtSecret: string | undefined
  /** The secret before, which verifies only. */
  previousSecret: string | undefined
  /** Paths of PEM files. */
  tls: { cert: string; key: string } | undefined
  /** Mail server and sender; undefined: no mail is sent, and development writes it to the log. */
  smtp: { url: string; from: string } | undefined
}

export type PlanName = keyof Config['plans']

/** Limits of one plan; null: no limit. */
export type Plan = Config['plans'][PlanName]

type Clouds = Config['imports']['providers']
type GoogleDrive = NonNullable<Clouds['google-drive']>
type Dropbox = NonNullable<Clouds['dropbox']>

/** The service's application at a cloud provider, and the URLs of that provider. */
export type CloudApp = NonNullable<Clouds['onedrive']> &
  Partial<Pick<GoogleDrive, 'revokeUrl'> & Pick<Dropbox, 'contentUrl'>>

/** The service's registration at an OpenID Connect provider or at GitHub. */
export type ProviderSettings = Config['accounts']['providers'][string]
