import type { FromSchema } from './from-schema.ts'
import type { fileSchema } from './schema.ts'

/** What the configuration file says, checked and with its defaults. */
export type FileConfig = FromSchema<typeof fileSchema>

/**
 * The configuration as the kernel reads it. The keys of the file are documented in schema.ts; sizes are bytes, durations
 * milliseconds. The other ones are worked out from the file, the environment and the machine.
 */
export interface Config extends Omit<FileConfig, 'host' | 'publicUrl'> {
  /** Of this release. */
  version: string
  mode: 'production' | 'development'
  /** Address to listen on. */
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
  /** Signs sessions and download tokens; undefined (development or the home profile): made and kept in `dataDir`. */
  jwtSecret: string | undefined
  /** Paths of PEM files. */
  tls: { cert: string; key: string } | undefined
  /** Where mail goes; undefined: nowhere, and in development to the log. */
  smtp: { url: string; from: string } | undefined
}

export type PlanName = keyof Config['plans']

/** What one plan allows; null lifts a limit. */
export type Plan = Config['plans'][PlanName]

type Clouds = Config['imports']['providers']
type GoogleDrive = NonNullable<Clouds['google-drive']>
type Dropbox = NonNullable<Clouds['dropbox']>

/** An application that is registered at a cloud provider, and the URLs of that provider. */
export type CloudApp = NonNullable<Clouds['onedrive']> &
  Partial<Pick<GoogleDrive, 'revokeUrl'> & Pick<Dropbox, 'contentUrl'>>

/** How the service is registered at an OpenID Connect provider, or at GitHub. */
export type ProviderSettings = Config['accounts']['providers'][string]
