import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { FailureCode } from '../contract.ts'
import type { Database } from '../database/database.ts'
import { outlast } from '../database/outlast.ts'
import type { ConversionRow, Ending } from '../database/tables/conversions.ts'
import { ConversionFailure, isFull, noRoom, ServiceError } from '../errors.ts'
import { HookFault } from '../hooks.ts'
import { HandBack, type Runner } from '../queue/scheduler.ts'
import { outputKey } from '../storage/names.ts'
import type { Storage } from '../storage/storage.ts'
import type { Chronicle, Work } from './chronicle.ts'
import type { Converter } from './converter.ts'
import type { End } from './end.ts'

/** Milliseconds between two writes of a conversion's progress. */
const PROGRESS_INTERVAL = 500

/**
 * Takes a recorded conversion from `queued` to its end: claim, convert, publish, record. While the database is away,
 * claims and ends wait for it, and their places in the queue with them.
 */
export function createRunner({
  config,
  database,
  storage,
  converter,
  loaded: { catalogue, options },
  end,
  chronicle,
  stopping,
  log,
}: {
  config: Pick<Config, 'plans'>
  database: Database
  storage: Storage
  converter: Converter
  loaded: LoadedCatalogue
  end: End
  chronicle: Chronicle
  /** Aborts when the service stops: from then on nothing waits for a database that is away. */
  stopping: AbortSignal
  log: Logger
}): Runner {
  const table = () => database<ConversionRow>('conversions')
  const written = <T>(id: string, work: (again: boolean) => Promise<T>, signal = stopping) =>
    outlast(work, signal, (err) => log.error({ err, conversion: id }, 'waiting for the database'))

  return async function run({ id }, signal) {
    let row: ConversionRow | undefined
    let work: Work | undefined
    try {
      // One whose time is over before it could begin goes back to the queue: it is taken up as lost.
      row = await written(id, () => claim(id), AbortSignal.any([stopping, signal]))
      if (!row) return
      work = chronicle.open(row)
      await convert(row, signal, work)
    } catch (error) {
      work?.settle()
      if (row) await fail(row, error).catch((cause) => log.error({ err: cause, conversion: id }, 'end not recorded'))
      else log.error({ err: error, conversion: id }, 'conversion not claimed')
    } finally {
      await work?.close()
    }
  }

  async function claim(id: string): Promise<ConversionRow | undefined> {
    const row = await table().where({ id, status: 'queued' }).first()
    if (!row) return
    const attempts = row.attempts + 1
    const claimed = await table().where({ id, status: 'queued' }).update({ status: 'processing', attempts })
    return claimed ? { ...row, attempts } : undefined
  }

  async function convert(row: ConversionRow, signal: AbortSignal, { told, settle }: Work): Promise<void> {
    const pair = catalogue.pairs.get(`${row.from_format}>${row.to_format}`)
    if (!pair?.methods.length) {
      throw new ConversionFailure(
        'CONVERSION_ERROR',
        `${row.from_format} to ${row.to_format} is not supported any more`,
      )
    }
    await using made = await converter.convert({
      owner: row.owner,
      source: storage.pathOf(row.source_key),
      pair,
      intent: row.intent,
      options: options.complete(pair.plugin, pair.to, row.intent, JSON.parse(row.options)),
      name: row.name,
      size: Number(row.source_size),
      most: config.plans[row.plan].maxResultSize,
      signal,
      report: createReport(row),
      told,
    })
    signal.throwIfAborted()
    const extension = made.paged ? 'zip' : row.to_format
    const key = outputKey(row, extension)
    await storage.publish(made.path, key)
    settle()
    const completed = await conclude(row, {
      status: 'completed',
      progress: 100,
      output_key: key,
      output_size: made.size,
      output_mime: made.paged ? 'application/zip' : catalogue.known.get(row.to_format)!.mime,
      output_extension: extension,
      completed_at: Date.now(),
    }).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED')) throw error
      await storage.remove(key)
      throw new ConversionFailure('RESOURCE_LIMIT', error.message, { cause: error })
    })
    // An end that came from outside in the meantime stands, and the result goes.
    if (!completed) await storage.remove(key)
  }

  /** Resolves to whether the conversion has this end now, and not another. */
  function conclude(row: ConversionRow, ending: Ending): Promise<boolean> {
    return written(row.id, async (again) => {
      if (await end(row, ['processing'], ending, row.attempts)) return true
      if (!again) return false
      // Perhaps it was recorded by the try whose answer was lost: its result must stay then.
      const { status, attempts } = (await table().where({ id: row.id }).first()) ?? {}
      return status === ending.status && attempts === row.attempts
    })
  }

  /** Writes progress that has grown, not too often; a run again starts where the client saw it last. */
  function createReport(row: ConversionRow): (fraction: number) => void {
    let shown = row.progress
    let next = performance.now() + PROGRESS_INTERVAL
    return (fraction) => {
      const percent = Math.min(99, Math.floor(fraction * 100))
      if (!(percent > shown) || performance.now() < next) return
      shown = percent
      next = performance.now() + PROGRESS_INTERVAL
      table()
        .where({ id: row.id, status: 'processing' })
        .andWhere('progress', '<', percent)
        .update({ progress: percent })
        .catch((err) => log.warn({ err, conversion: row.id }, 'progress not recorded'))
    }
  }

  async function fail(row: ConversionRow, error: unknown): Promise<void> {
    if (error instanceof HandBack) {
      const mine = { id: row.id, status: 'processing', attempts: row.attempts } as const
      await written(row.id, () =>
        table()
          .where(mine)
          .update({ status: 'queued', attempts: row.attempts - 1 }),
      )
      return
    }
    const { code, message } = explain(error)
    if (code === 'INTERNAL_SERVER_ERROR') {
      const origin = error instanceof HookFault ? error.origin : {}
      log.error({ err: error, conversion: row.id, plugin: row.category, ...origin }, 'conversion broke')
    }
    await conclude(row, { status: 'failed', error_code: code, error_message: message })
  }
}

function explain(error: unknown): { code: FailureCode; message: string } {
  if (error instanceof ConversionFailure) return { code: error.code, message: error.message.slice(0, 500) }
  if (isFull(error) || (error instanceof ServiceError && error.code === 'STORAGE_FULL')) {
    return noRoom()
  }
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The conversion failed for an unexpected reason; try again' }
}
