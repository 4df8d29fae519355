import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { Invitations } from './accounts/invitations.ts'
import { createAccountParts } from './accounts/parts.ts'
import type { Quotas } from './accounts/quotas.ts'
import type { Teams } from './accounts/teams.ts'
import { createDownloadTokens, type DownloadTokens, loadSecret } from './accounts/tokens.ts'
import { createUsage, type PlanUsage } from './accounts/usage.ts'
import { openAlone } from './alone.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { loadCatalogue } from './catalogue/load.ts'
import type { Cluster } from './cluster.ts'
import type { Batches } from './conversions/batches.ts'
import { takeUpLost } from './conversions/lost.ts'
import { type Conversions, createConversionParts } from './conversions/parts.ts'
import { recover } from './conversions/recovery.ts'
import { superviseQueue } from './conversions/supervision.ts'
import { createRefuseUnsupported } from './conversions/unsupported.ts'
import { createChanges } from './events/changes.ts'
import { type ConversionEvents, createConversionEvents } from './events/events.ts'
import { createNews, type News } from './events/news.ts'
import { createSharedChanges } from './events/shared-changes.ts'
import { createHealth, type Health } from './health.ts'
import { createImports, type Imports } from './imports/imports.ts'
import { createLog } from './log.ts'
import type { Scheduler } from './queue/scheduler.ts'
import { applyConfig } from './reload.ts'
import { divideGroup } from './sandbox/cgroup.ts'
import { noSandboxes } from './sandbox/none.ts'
import { createSandboxes } from './sandbox/sandbox.ts'
import { unprivilegedUser } from './sandbox/user.ts'
import type { WarmCount } from './sandbox/warm-options.ts'
import { sweepAudit } from './settings/audit.ts'
import { watchSettings } from './settings/watch.ts'
import type { Claim } from './start/claim.ts'
import { closeToOthers } from './start/close.ts'
import { openDataFolder } from './start/data-folder.ts'
import { openStorage } from './storage/open.ts'
import { createSpace, type Space } from './storage/space.ts'
import { sweepForever } from './sweeper.ts'
import type { Files } from './uploads/files.ts'
import { createLocalResumable } from './uploads/resumable/local.ts'
import type { Resumable } from './uploads/resumable/resumable.ts'

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
  scheduler: Scheduler
  events: ConversionEvents
  /** What changed lately, for streams of events. */
  news: News
  /** What connects this node to the others; undefined: it is the only one. */
  cluster: Cluster | undefined
  /** Aborts when the service stops. */
  stopping: AbortSignal
  tokens: DownloadTokens
  /** Switches that an operator can change at run time. */
  settings: { maintenance: boolean }
  health: Health
  /** Measures free and used bytes of the data folder. */
  space: () => Promise<Space>
  /** Counts the idle warm processes by engine. */
  warm: () => WarmCount[]
  /** Applies the settings that can change at run time. Returns the other changed keys. @throws StartError. */
  reload(next: Config): string[]
  /**
   * Drains within the configured grace, returns running conversions to the queue, closes everything.
   * @param answered Waits for the end of open requests, which still find everything open. It gets the end of
   * conversions.
   */
  close(answered?: (conversions: Promise<void>) => Promise<unknown>): Promise<void>
}

/**
 * Builds all parts of the service, connects them, and recovers conversions of an earlier process.
 *
 * @param claim Claim on the data folder; `close` releases it.
 * @throws StartError if the machine or the configuration does not allow a start.
 */
export async function createKernel(
  config: Config,
  log: Logger = createLog(config.log.level),
  claim: Claim = openDataFolder(config),
): Promise<Kernel> {
  // If the start fails, this releases everything. After a successful start, `close` does.
  await using undo = new AsyncDisposableStack()
  undo.defer(() => claim.release())
  log.info({ version: config.version, node: process.versions.node, mode: config.mode }, 'starting')
  const { dataDir } = config
  const reader = unprivilegedUser()?.gid
  closeToOthers(dataDir, reader)
  const place = { url: config.databaseUrl, dataDir }
  const { database, cluster } = config.redisUrl
    ? await (await import('./cluster.ts')).joinCluster(config, log, undo)
    : { database: await openAlone(place, log, undo), cluster: undefined }
  const converts = config.role !== 'api'
  const sandboxes = converts
    ? await createSandboxes(config, log, divideGroup(config.limits.memory, process.env, log))
    : noSandboxes
  undo.defer(() => sandboxes.close())
  const loaded = await loadCatalogue(config, converts ? sandboxes.ask : undefined)
  const { probes } = loaded
  const shared = cluster && (await import('./shared-catalogue.ts')).shareCatalogue(config, loaded, cluster)
  const offered = shared?.offered ?? loaded
  const { catalogue } = offered
  for (const [{ name }, probe] of probes) {
    if ('missing' in probe) log.warn({ engine: name }, probe.missing)
  }
  const [storage, secret] = await Promise.all([openStorage(config, reader, log), loadSecret(config.jwtSecret, dataDir)])
  undo.defer(() => storage.close())
  const people = await createAccountParts({ config, database, secret, log })
  const { accounts, letters, quotas, storedBytes, teams, invitations } = people
  const events = createConversionEvents()
  const changes = cluster ? createSharedChanges(cluster.bus, events) : createChanges()
  const news = createNews(changes)
  const life = new AbortController()
  // Conversions may run on for a while after the service begins to stop. Until then its queue is looked after.
  const working = new AbortController()
  const { scheduler, queue, unrecorded, end, files, conversions, batches } = createConversionParts({
    config,
    log,
    database,
    storage,
    sandboxes,
    loaded,
    offered,
    teams,
    quotas,
    storedBytes,
    events,
    changes,
    stopping: life.signal,
    drained: working.signal,
    shared: cluster && (await import('./shared-queue.ts')).sharedQueue(config, cluster, shared?.group, log),
  })

  const resumable = cluster
    ? await (await import('./uploads/resumable/shared/shared-resumable.ts')).createSharedResumable({
        dataDir,
        database,
        storage,
        storedBytes,
        files,
        log,
      })
    : await createLocalResumable({ dataDir, storage, files })

  log.info({ tools: catalogue.tools.length, missing: catalogue.missing.length }, 'catalogue')
  sandboxes.warm(probes)
  // Of several nodes, the leader recovers what has no living node.
  const recovered = cluster ? 0 : await recover({ config, database, storage, scheduler, end }, life.signal)
  if (recovered) log.info({ conversions: recovered }, 'conversions of an earlier start resumed')
  const settings = { maintenance: false }
  const watching = await watchSettings({
    database,
    log,
    signal: life.signal,
    apply({ maintenance, closedTools }) {
      settings.maintenance = maintenance
      catalogue.close(closedTools)
    },
    reload: () => void events.emit('reload'),
  })
  const oldAudit = (now: number, limit: number) => sweepAudit(database, now, limit)
  const sweeps = [files.sweep, conversions.sweep, batches.sweep, quotas.sweep, accounts.keys.sweep]
  sweeps.push(accounts.resets.sweep, invitations.sweep, oldAudit)
  if (cluster) sweeps.push(createRefuseUnsupported({ database, end, membership: cluster.membership }))
  const own = [storage.sweep]
  ;(cluster ? sweeps : own).push(resumable.sweep)
  const leads = () => cluster?.membership.leads() ?? true
  const sweeping = sweepForever({ own, shared: sweeps }, leads, log, life.signal)
  const lost =
    cluster && queue
      ? superviseQueue({ database, storage, end, unrecorded }, queue, cluster, log, working.signal)
      : takeUpLost({ config, database, storage, scheduler, end }, log, life.signal)
  const imports = await createImports({ config, database, secret, log })
  await shared?.report()
  // From now on, conversions run here. So nothing after it may fail.
  queue?.begin()
  const usage = createUsage({ quotas, storedBytes, countPending: conversions.countPending })
  const started = undo.move()

  return {
    config,
    log,
    catalogue,
    accounts,
    teams,
    invitations,
    usage,
    files,
    resumable,
    conversions,
    batches,
    quotas,
    scheduler,
    events,
    news,
    settings,
    cluster,
    stopping: life.signal,
    imports,
    tokens: createDownloadTokens(secret, config.downloads.tokenLifetime),
    health: createHealth({ config, database, storage, scheduler, catalogue, probes, settings, cluster }),
    space: createSpace(config.dataDir),
    warm: sandboxes.counts,
    reload: (next) => applyConfig(config, next, offered),
    async close(answered) {
      life.abort()
      // At once, because the clients that wait for a conversion are among the open requests.
      const drained = scheduler.close(config.shutdown.grace).finally(() => working.abort())
      await Promise.all([drained, answered?.(drained)])
      await Promise.all([sweeping, lost, watching.ended, letters?.close()])
      await accounts.resets.close()
      await started.disposeAsync()
    },
  }
}
