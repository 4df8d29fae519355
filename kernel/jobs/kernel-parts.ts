import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { Database } from '../database/database.ts'
import type { Recognise } from '../detection/recognise.ts'
import type { Changes } from '../events/changes.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { Files } from '../files/uploads/files.ts'
import type { Quotas } from '../people/quotas.ts'
import type { StoredBytes } from '../people/stored-bytes.ts'
import type { Teams } from '../people/teams.ts'
import type { Sandboxes } from '../sandbox/sandbox.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The parts of the kernel that this room works with. */
export interface KernelParts {
  config: Config
  log: Logger
  database: Database
  storage: Storage
  sandboxes: Sandboxes
  files: Files
  recognise: Recognise
  /** What this service can convert. */
  loaded: LoadedCatalogue
  /** What it offers: what all nodes can convert. */
  offered: LoadedCatalogue
  teams: Teams
  quotas: Quotas
  storedBytes: StoredBytes
  events: ConversionEvents
  changes: Changes
  tracing: Tracing
  /** Aborts when the service stops. */
  stopping: AbortSignal
  /** Aborts when it then runs no conversion any more. */
  drained: AbortSignal
}

/** Some of them. */
export type Kernel<Part extends keyof KernelParts> = Pick<KernelParts, Part>
