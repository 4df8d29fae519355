import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Space } from '../disk-space.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { News } from '../events/news.ts'
import type { Files } from '../files/uploads/files.ts'
import type { Resumable } from '../files/uploads/resumable/resumable.ts'
import type { Imports } from '../imports/imports.ts'
import type { Batches } from '../jobs/batches.ts'
import type { Conversions } from '../jobs/parts.ts'
import type { Scheduler } from '../jobs/queue/scheduler.ts'
import type { Accounts } from '../people/accounts.ts'
import type { DownloadTokens } from '../people/download-tokens.ts'
import type { Idempotency } from '../people/idempotency.ts'
import type { Invitations } from '../people/invitations.ts'
import type { Quotas } from '../people/quotas.ts'
import type { Teams } from '../people/teams.ts'
import type { UploadHandles } from '../people/upload-handles.ts'
import type { PlanUsage } from '../people/usage.ts'
import type { WarmCount } from '../sandbox/pool/idle.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { ServedCertificate } from './certificate.ts'
import type { Health } from './health.ts'
import type { ReloadOutcome } from './settings/reload-answers.ts'

/** Everything that the HTTP layer uses. */
export interface Kernel {
  config: Config
  log: Logger
  catalogue: Catalogue
  accounts: Accounts
  teams: Teams
  invitations: Invitations
  usage: PlanUsage
  files: Files
  resumable: Resumable
  conversions: Conversions
  batches: Batches
  quotas: Quotas
  imports: Imports
  webhooks: Webhooks
  tracing: Tracing
  idempotency: Idempotency
  scheduler: Scheduler
  events: ConversionEvents
  /** What changed lately, for streams of events. */
  news: News
  /** What connects this node to the others; undefined: it is the only one. */
  cluster: Cluster | undefined
  /** Aborts when the service stops. */
  stopping: AbortSignal
  tokens: DownloadTokens
  handles: UploadHandles
  /** Switches that an operator can change at run time. */
  settings: { maintenance: boolean }
  health: Health
  /** Whether each part that the service needs is away, as its last use or check showed. Asks nothing. */
  away: () => Record<string, boolean>
  /** Measures free and used bytes of the data folder. */
  space: () => Promise<Space>
  /** Counts the idle warm processes by engine. */
  warm: () => WarmCount[]
  /** Undefined: the service speaks plain HTTP. */
  certificate: ServedCertificate | undefined
  /**
   * Applies the certificate and the settings that can change at run time. Returns the other changed keys.
   *
   * @throws StartError. The old configuration then stays in effect.
   */
  reload(next: Config): string[]
  /** Tells the administrator who asked for a reload what came of it. @param request Its id. */
  answerReload(request: string, outcome: ReloadOutcome): Promise<void>
  /**
   * Drains within the configured grace, returns running conversions to the queue, closes everything.
   * @param answered Waits for the end of open requests, which still find everything open. It gets the end of
   * conversions.
   */
  close(answered?: (conversions: Promise<void>) => Promise<unknown>): Promise<void>
}
