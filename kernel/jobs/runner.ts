import { currentRequest } from '../current-request.ts'
import { logFailure } from '../database/absence.ts'
import { claimConversion, type Ending, handBack, noteProgress } from '../database/tables/conversion-claims.ts'
import { type ConversionRow, findConversion } from '../database/tables/conversions.ts'
import { ConversionFailure, ServiceError } from '../errors.ts'
import { HookFault } from '../hooks.ts'
import type { Chronicle, ChronicleEntry } from './chronicle.ts'
import type { Converter } from './converter.ts'
import { announceEnd, type End } from './end.ts'
import { clientFailure, notSupported } from './failure.ts'
import type { JobNeeds } from './needs.ts'
import { outputKey } from './output-keys.ts'
import { HandBack, type Runner, type ScheduledJob, scheduled } from './queue/job.ts'
import { retryWhileUnavailable } from './retry.ts'
import { checkOutSource } from './source.ts'
import { NeedsHeavy } from './steps.ts'
import type { Work } from './work.ts'

/** A claimed conversion. */
interface Attempt {
  row: ConversionRow
  work: Work
  /** Whether it has only a light place. */
  light: boolean
  /** Aborts when the job must end. */
  signal: AbortSignal
  /** As of `Runner`. */
  requeueAsHeavy: (job: ScheduledJob) => void
}

/** What a runner works with. */
interface RunnerParts {
  converter: Converter
  end: End
  chronicle: Chronicle
  /** The node that claims conversions; null: the only one. */
  node?: string | null
}

/**
 * Takes a recorded conversion from `queued` to its end: claim, convert, publish, record. While the database is
 * unavailable, claims and ends wait for it and keep their places in the queue.
 *
 * A superseded claim (the conversion was cancelled or claimed again) writes nothing: each of its statements checks the
 * fence. Its result has its own key and is removed.
 */
export function createRunner(kernel: JobNeeds, { converter, end, chronicle, node = null }: RunnerParts): Runner {
  const { config, database, storage, changes, stopping, log } = kernel
  const { catalogue, options } = kernel.loaded

  /** Repeats work while the database is unavailable. After the stop, only ends wait, as long as their jobs may run. */
  const written = <T>(id: string, work: (isRetry: boolean) => Promise<T>, isOver = () => stopping.aborted) =>
    retryWhileUnavailable(work, {
      isOver,
      onFirstError: (err) => logFailure(database, log, err, 'waiting for the database', { conversion: id }),
    })

  return async function run({ id, heavy }, signal, requeueAsHeavy) {
    let row: ConversionRow | undefined
    try {
      // Timed out before it was claimed: it stays queued, and `takeUpLost` queues it again.
      row = await written(
        id,
        () => claimConversion(database, id, node),
        () => stopping.aborted || signal.aborted,
      )
    } catch (error) {
      logFailure(database, log, error, 'conversion not claimed', { conversion: id })
    }
    if (!row) return
    const entry = chronicle.open(row)
    // The place counts, not the record: it may have become heavy after it was delivered.
    const attempt: Attempt = { row, light: !heavy, signal, requeueAsHeavy, work: entry }
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

  /** Records the end of a claim. Resolves to whether the outcome of this claim was recorded. */
  function conclude({ row, work, signal }: Attempt, ending: Ending): Promise<boolean> {
    const { id, fence } = row
    async function record(isRetry: boolean): Promise<boolean> {
      const ended = await end(row, { statuses: ['processing'], fence }, ending, work)
      if (ended || !isRetry) return ended
      // The earlier try may have recorded it, lost the answer and announced nothing. Its result must then stay.
      const now = await findConversion(database, id)
      const isOwn = now?.status === ending.status && now.fence === fence
      if (isOwn) announceEnd(kernel, row, ending)
      return isOwn
    }
    return written(id, record, () => stopping.aborted && signal.aborted)
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
      attempt.requeueAsHeavy(scheduled({ ...row, heavy: 1, attempts: row.attempts - 1 }, config))
      return
    }
    const { code, message, charged = false } = clientFailure(error)
    if (code === 'INTERNAL_SERVER_ERROR') {
      const origin = error instanceof HookFault ? error.origin : {}
      log.error({ err: error, conversion: row.id, plugin: row.category, ...origin }, 'conversion broke')
    }
    await conclude(attempt, { status: 'failed', error_code: code, error_message: message, charged })
  }
}
/** Milliseconds between two writes of a conversion's progress. */
const INTERVAL = 500

/**
 * Returns a function that takes the fraction done, 0 to 1, and writes it as a percentage of at most 99. It writes only
 * increases, at most once every 500 ms. A second attempt starts from `shown`, the percentage that the client saw last.
 */
function createProgress(shown: number, write: (percent: number) => void): (fraction: number) => void {
  let next = performance.now() + INTERVAL
  return (fraction) => {
    const percent = Math.min(99, Math.floor(fraction * 100))
    if (!(percent > shown) || performance.now() < next) return
    shown = percent
    next = performance.now() + INTERVAL
    write(percent)
  }
}
