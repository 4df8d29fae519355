import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { createRefuseUnsupported } from '../cluster/unsupported.ts'
import { isAway, logFailure } from '../database/absence.ts'
import { deleteExpired, EXPIRING_TABLES } from '../database/expired-rows.ts'
import { createRecognise } from '../detection/recognise.ts'
import { createChanges } from '../events/changes.ts'
import { createConversionEvents } from '../events/events.ts'
import { createNews } from '../events/news.ts'
import { createSharedChanges } from '../events/shared-changes.ts'
import { openParts, openStorage } from '../files/storage/open.ts'
import { traceStorage } from '../files/storage/traced.ts'
import { createFiles } from '../files/uploads/files.ts'
import { createResumable } from '../files/uploads/resumable/resumable.ts'
import { createImports } from '../imports/imports.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import { recover, takeUpLost } from '../jobs/recovery.ts'
import { superviseQueue } from '../jobs/supervision.ts'
import { createLog } from '../log.ts'
import { createAccounts } from '../people/accounts.ts'
import { createDownloadTokens } from '../people/download-tokens.ts'
import { createIdempotency } from '../people/idempotency.ts'
import { createInvitationMail } from '../people/invitation-mail.ts'
import { createInvitations } from '../people/invitations.ts'
import type { Owner } from '../people/owner.ts'
import { createQuotas } from '../people/quotas.ts'
import { loadSecrets } from '../people/secret.ts'
import { createStoredBytes } from '../people/stored-bytes.ts'
import { createTeams } from '../people/teams.ts'
import { createUploadHandles } from '../people/upload-handles.ts'
import { divideGroup } from '../sandbox/limits/cgroup.ts'
import { createSandboxes, noSandboxes } from '../sandbox/sandboxes.ts'
import { unprivilegedUser } from '../sandbox/walls/user.ts'
import { openTracing } from '../tracing/open.ts'
import { createWatches } from '../watch/watches.ts'
import { createWebhookSeal, resealWebhooks } from '../webhooks/reseal.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { serveCertificate } from './certificate.ts'
import type { Claim } from './claim.ts'
import { openDataFolder } from './data-folder.ts'
import { closeToOthers } from './folder-modes.ts'
import { createHealth } from './health.ts'
import { applyConfig } from './reload.ts'
import { openServers } from './servers.ts'
import { followOperators } from './settings/follow-operators.ts'
import { answerReload, type ReloadOutcome } from './settings/reload-answers.ts'
import { sweepForever } from './sweeper.ts'

/**
 * Builds all parts of the service, connects them, and recovers conversions of an earlier process.
 *
 * @param claim Claim on the data folder; `close` releases it.
 * @throws StartError if the machine or the configuration does not allow a start.
 */
export async function createKernel(
  config: Config,
  rootLog: Logger = createLog(config.log.level),
  claim: Claim = openDataFolder(config),
) {
  // If the start fails, this releases everything. After a successful start, `close` does.
  await using undo = new AsyncDisposableStack()
  undo.defer(() => claim.release())
  const { version, commit, mode } = config
  rootLog.info({ version, commit, node: process.versions.node, mode }, 'starting')
  const reader = unprivilegedUser()?.gid
  closeToOthers(config.dataDir, reader)
  const { database, cluster } = await openServers(config, rootLog, undo)
  // Logs of several nodes are often read together.
  const log = cluster ? rootLog.child({ node: cluster.membership.id }) : rootLog
  const tracing = await openTracing(config, log, cluster?.membership.id)
  undo.defer(() => tracing.close())
  const converts = config.role !== 'api'
  const sandboxes = converts
    ? await createSandboxes(config, log, divideGroup(config.limits.memory, process.env, log))
    : noSandboxes
  undo.defer(() => sandboxes.close())
  const loaded = await loadCatalogue(config, converts ? sandboxes.ask : undefined)
  const { probes } = loaded
  const shared = cluster && (await import('../cluster/shared-catalogue.ts')).shareCatalogue(config, loaded, cluster)
  const offered = shared?.offered ?? loaded
  const { catalogue } = offered
  for (const [{ name }, probe] of probes) if ('missing' in probe) log.warn({ engine: name }, probe.missing)
  const [opened, secrets] = await Promise.all([openStorage(config, reader, log), loadSecrets(config)])
  const storage = traceStorage(opened, tracing)
  undo.defer(() => storage.close())
  const people = { config, database, secrets, log }
  const accounts = await createAccounts(people)
  const { users, mailer } = accounts
  const invitationMail = createInvitationMail(people, mailer)
  const teams = createTeams({ database, users, invitationMail })
  const invitations = createInvitations(database, users, mailer !== undefined)
  const quotas = createQuotas({ config, database })
  const storedBytes = createStoredBytes({ config, database })
  const events = createConversionEvents()
  const changes = cluster ? createSharedChanges(cluster.bus) : createChanges()
  const news = createNews(changes)
  const life = new AbortController()
  const certificate = config.tls && serveCertificate(config.tls, log, life.signal)
  // Conversions may run on for a while after the service begins to stop. Until then its queue is looked after.
  const working = new AbortController()
  const recognise = createRecognise(loaded, log)
  const given = { config, log, database, storage, catalogue, recognise, storedBytes, changes }
  const files = createFiles(given, (key) => conversions.sourceRemoved(key))
  const ends = { stopping: life.signal, drained: working.signal }
  const { scheduler, queue, end, conversions, batches, cancelForOperator } = createJobs(
    { ...given, files, sandboxes, loaded, offered, teams, quotas, events, tracing, ...ends },
    cluster && (await import('../cluster/shared-queue.ts')).sharedQueue(config, cluster, shared?.group, log),
  )

  const uploadParts = await openParts(config, storage)
  const alone = !cluster
  const resumable = await createResumable(given, { files, parts: uploadParts, alone })

  log.info({ tools: catalogue.tools.length, missing: catalogue.missing.length }, 'catalogue')
  sandboxes.warm(probes)
  // Of several nodes, the leader recovers what has no living node.
  const recovered = cluster ? 0 : await recover({ config, database, storage, scheduler, end }, life.signal)
  if (recovered) log.info({ conversions: recovered }, 'conversions of an earlier start resumed')
  const idempotency = await createIdempotency(database, alone)
  const settings = { maintenance: false }
  const operator = { settings, catalogue, events, cancelForOperator }
  const following = await followOperators(database, operator, log, life.signal)
  const tokens = createDownloadTokens(secrets, config.downloads.tokenLifetime)
  if (secrets.length > 1) await resealWebhooks(database, createWebhookSeal(secrets))
  const webhooks = createWebhooks({ config, database, secrets, tokens, changes, log, tracing, signal: life.signal })
  const sweeps = [files.sweep, conversions.sweep, batches.sweep, quotas.sweep, resumable.sweep]
  for (const table of EXPIRING_TABLES) sweeps.push((now, limit) => deleteExpired(database, table, now, limit))
  if (cluster) sweeps.push(createRefuseUnsupported(database, end, cluster.membership))
  const complain = (error: unknown) => logFailure(database, log, error, 'sweep failed')
  const leads = () => cluster?.membership.leads() ?? true
  const sweeping = sweepForever({ own: [storage.sweep], shared: sweeps }, leads, complain, life.signal)
  const lost =
    cluster && queue
      ? superviseQueue({ database, storage, end }, queue, cluster, log, working.signal)
      : takeUpLost({ config, database, storage, scheduler, end }, log, life.signal)
  const imports = await createImports(people)
  await shared?.report()
  const watches = createWatches({ config, files, conversions, offered, settings, log, signal: life.signal })
  // From now on, conversions run here. So nothing after it may fail.
  queue?.begin()
  const watched = watches.begin()
  const started = undo.move()

  return {
    config,
    log,
    catalogue,
    accounts,
    teams,
    invitations,
    /** An owner's use of the plan: conversions and bytes of today (UTC), and what is pending and stored now. */
    usage: async (owner: Owner) => ({
      ...(await quotas.usage(owner)),
      pendingJobs: await conversions.countPending(owner),
      storedBytes: await storedBytes.used(owner),
    }),
    files,
    resumable,
    conversions,
    batches,
    quotas,
    scheduler,
    events,
    news,
    /** Switches that an operator can change at run time. */
    settings,
    /** What connects this node to the others; undefined: it is the only one. */
    cluster,
    /** Aborts when the service stops. */
    stopping: life.signal,
    imports,
    webhooks,
    tracing,
    idempotency,
    tokens,
    handles: createUploadHandles(secrets),
    health: createHealth({ config, database, storage, scheduler, catalogue, probes, settings, cluster }),
    /** Whether each part that the service needs is away, as its last use or check showed. Asks nothing. */
    away: (): Record<string, boolean> => ({
      database: isAway(database),
      storage: storage.isAway(),
      ...(cluster && { redis: cluster.redis.isAway() }),
      ...(mailer && { mail: mailer.isAway() }),
    }),
    warm: sandboxes.counts,
    /** Undefined: the service speaks plain HTTP. */
    certificate,
    /**
     * Applies the certificate and the settings that can change at run time. Returns the other changed keys.
     *
     * @throws StartError. The old configuration then stays in effect.
     */
    reload: (next: Config) => applyConfig(config, next, offered, certificate),
    /** Tells the administrator who asked for a reload what came of it. @param request Its id. */
    answerReload: (request: string, outcome: ReloadOutcome) => answerReload(database, request, outcome),
    /**
     * Drains within the configured grace, returns running conversions to the queue, closes everything. `answered` gets
     * the end of the conversions, and waits for that of open requests, which still find everything open.
     */
    async close(answered?: (conversions: Promise<void>) => Promise<unknown>): Promise<void> {
      life.abort()
      // At once, because the clients that wait for a conversion are among the open requests.
      const drained = scheduler.close(config.shutdown.grace).finally(() => working.abort())
      await Promise.all([drained, answered?.(drained)])
      await Promise.all([sweeping, lost, following.ended, webhooks.ended, watched, invitationMail?.close()])
      await accounts.resets.close()
      await started.disposeAsync()
    },
  }
}
