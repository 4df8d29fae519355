import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { FileNeeds } from '../files/needs.ts'
import type { Files } from '../files/uploads/files.ts'
import type { Quotas } from '../people/quotas.ts'
import type { Teams } from '../people/teams.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The parts of the kernel that this room works with. */
export interface JobNeeds extends FileNeeds {
  files: Files
  sandboxes: Sandboxes
  /** What this service can convert. */
  loaded: LoadedCatalogue
  /** What it offers: what all nodes can convert. */
  offered: LoadedCatalogue
  teams: Teams
  quotas: Quotas
  events: ConversionEvents
  tracing: Tracing
  /** Aborts when the service stops. */
  stopping: AbortSignal
  /** Aborts when it then runs no conversion any more. */
  drained: AbortSignal
}
