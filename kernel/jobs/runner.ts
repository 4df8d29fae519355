import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { logFailure } from '../database/absence.ts'
import type { Database } from '../database/database.ts'
import { retryWhileUnavailable } from '../database/retry.ts'
import { claimConversion, claimName, handBack, noteProgress } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { ConversionFailure, ServiceError } from '../errors.ts'
import type { Changes } from '../events/changes.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { Storage } from '../files/storage/storage.ts'
import { HookFault } from '../hooks.ts'
import { currentRequest } from '../log.ts'
import type { Chronicle, ChronicleEntry } from './chronicle.ts'
import { createConclude } from './conclude.ts'
import type { Converter } from './converter.ts'
import type { End } from './end.ts'
import { notSupported, toldOf } from './failure.ts'
import type { Work } from './findings.ts'
import { outputKey } from './output-keys.ts'
import { createProgress } from './progress.ts'
import { HandBack, type Runner, type ScheduledJob } from './queue/job.ts'
import { scheduled } from './scheduled.ts'
import { checkOutSource } from './source.ts'
import { NeedsHeavy } from './steps.ts'

/** A claimed conversion. */
interface Attempt {
  row: ConversionRow
  work: Work
  /** Whether it has only a light place. */
  light: boolean
  /** Aborts when the job must end. */
  signal: AbortSignal
  /** As of `Runner`. */
  again: (job: ScheduledJob) => void
}

/**
 * Takes a recorded conversion from `queued` to its end: claim, convert, publish, record. While the database is
 * unavailable, claims and ends wait for it and keep their places in the queue.
 *
 * A superseded claim (the conversion was cancelled or claimed again) writes nothing: each of its statements checks the
 * fence. Its result has its own key and is removed.
 */
export function createRunner({
  config,
  database,
  storage,
  converter,
  loaded: { catalogue, options },
  end,
  chronicle,
  events,
  changes,
  stopping,
  unrecorded = new Set(),
  node = null,
  log,
}: {
  config: Pick<Config, 'plans' | 'timeouts'>
  database: Database
  storage: Storage
  converter: Converter
  loaded: LoadedCatalogue
  end: End
  chronicle: Chronicle
  events: ConversionEvents
  changes: Changes
  /**
   * Aborts when the service stops. From then on only ends wait for an unavailable database, as long as their jobs may
   * run.
   */
  stopping: AbortSignal
  /** Receives the names of claims whose end could not be recorded. */
  unrecorded?: Set<string>
  /** The node that claims conversions; null: the only one. */
  node?: string | null
  log: Logger
}): Runner {
  const written = <T>(id: string, work: (again: boolean) => Promise<T>, signal = stopping) =>
    retryWhileUnavailable(work, {
      signal,
      onFirstError: (err) => logFailure(database, log, err, 'waiting for the database', { conversion: id }),
    })
  const conclude = createConclude({ database, end, events, changes, stopping, written })

  return async function run({ id, heavy }, signal, again) {
    let row: ConversionRow | undefined
    try {
      // Timed out before it was claimed: it stays queued, and `takeUpLost` queues it again.
      row = await written(id, () => claimConversion(database, id, node), AbortSignal.any([stopping, signal]))
    } catch (error) {
      logFailure(database, log, error, 'conversion not claimed', { conversion: id })
    }
    if (!row) return
    const entry = chronicle.open(row)
    // The place counts, not the record: it may have become heavy after it was delivered.
    const attempt: Attempt = { row, light: !heavy, signal, again, work: entry }
    const { request_id: requestId } = row
    await currentRequest.run({ ...(requestId !== null && { requestId }), trace: entry.trace }, () =>
      runAttempt(attempt, entry),
    )
  }

  async function runAttempt(attempt: Attempt, entry: ChronicleEntry): Promise<void> {
    const { row, signal } = attempt
    try {
      changes.publish({ conversion: row.id, owner: row.owner, batch: row.batch, begun: true })
      await convert(attempt, entry)
    } catch (error) {
      entry.settle()
      // What is cut off fails in many ways, of which none is the reason.
      await fail(attempt, signal.aborted ? signal.reason : error)
    } finally {
      entry.close()
    }
  }

  async function convert(attempt: Attempt, { onRun, findings, settle }: ChronicleEntry): Promise<void> {
    const { row, light, signal } = attempt
    const pair = catalogue.pairs.get(`${row.from_format}>${row.to_format}`)
    if (!pair?.methods.length) throw notSupported(row)
    const report = createProgress(row.progress, (percent) => {
      const { id: conversion, owner, batch } = row
      noteProgress(database, row, percent).then(
        (noted) => noted && changes.publish({ conversion, owner, batch, progress: true }),
        (err) => logFailure(database, log, err, 'progress not recorded', { conversion }),
      )
    })
    await using source = await checkOutSource(database, storage, row, signal)
    await using made = await converter.convert({
      owner: row.owner,
      source: source.path,
      pair,
      intent: row.intent,
      options: options.complete(pair.plugin, pair.to, row.intent, JSON.parse(row.options)),
      name: row.name,
      size: Number(row.source_size),
      max: config.plans[row.plan].maxResultSize,
      light,
      signal,
      report,
      onRun,
      findings,
    })
    findings.sha256 = made.sha256
    signal.throwIfAborted()
    const extension = made.paged ? 'zip' : row.to_format
    const key = outputKey(row, extension)
    await storage.publish(made.path, key, signal)
    settle()
    const completed = await conclude(attempt, {
      status: 'completed',
      output_key: key,
      output_size: made.size,
      output_mime: made.paged
        ? 'application/zip'
        : (catalogue.known.get(row.to_format)?.mime ?? 'application/octet-stream'),
      output_extension: extension,
      // The clock of the node that accepted it may be ahead.
      completed_at: Math.max(Date.now(), Number(row.created_at)),
    }).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED')) throw error
      await discard(key)
      throw new ConversionFailure('RESOURCE_LIMIT', error.message, { cause: error })
    })
    // Somebody cancelled the conversion or claimed it again. That outcome stands, so remove this claim's result.
    if (!completed) await discard(key)
  }

  /** Removes a result. If the storage does not answer, it goes with the record. */
  function discard(key: string): Promise<void> {
    return storage.remove(key).catch(() => {})
  }

  async function fail(attempt: Attempt, error: unknown): Promise<void> {
    try {
      await recordFailure(attempt, error)
    } catch (err) {
      log.error({ err, conversion: attempt.row.id }, 'end not recorded')
      unrecorded.add(claimName(attempt.row))
    }
  }

  async function recordFailure(attempt: Attempt, error: unknown): Promise<void> {
    const { row } = attempt
    if (error instanceof HandBack) {
      await written(row.id, () => handBack(database, row))
      return
    }
    if (error instanceof NeedsHeavy) {
      await written(row.id, () => handBack(database, row, { heavy: 1 }))
      changes.publish({ conversion: row.id, owner: row.owner, batch: row.batch, begun: true })
      attempt.again(scheduled({ ...row, heavy: 1, attempts: row.attempts - 1 }, config))
      return
    }
    const { code, message, charged = false } = toldOf(error)
    if (code === 'INTERNAL_SERVER_ERROR') {
      const origin = error instanceof HookFault ? error.origin : {}
      log.error({ err: error, conversion: row.id, plugin: row.category, ...origin }, 'conversion broke')
    }
    await conclude(attempt, { status: 'failed', error_code: code, error_message: message, charged })
  }
}
