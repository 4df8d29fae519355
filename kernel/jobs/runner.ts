import type { Logger } from 'pino'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { FailureCode } from '../contract.ts'
import type { Database } from '../database/database.ts'
import { ConversionFailure, ServiceError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import type { Converter } from './converter.ts'
import type { End } from './end.ts'
import { storageKey } from './names.ts'
import type { ConversionRow } from './records.ts'
import { HandBack, type Runner } from './scheduler.ts'

/** Milliseconds between two writes of a conversion's progress. */
const PROGRESS_INTERVAL = 500

/** Takes a recorded conversion from `queued` to its end: claim, convert, publish, record. */
export function createRunner({
  database,
  storage,
  converter,
  loaded: { catalogue, options },
  end,
  log,
}: {
  database: Database
  storage: Storage
  converter: Converter
  loaded: LoadedCatalogue
  end: End
  log: Logger
}): Runner {
  const table = () => database<ConversionRow>('conversions')

  return async function run({ id }, signal) {
    let row: ConversionRow | undefined
    try {
      row = await claim(id)
      if (row) await convert(row, signal)
    } catch (error) {
      if (row) await fail(row, error).catch((cause) => log.error({ err: cause, conversion: id }, 'end not recorded'))
      else log.error({ err: error, conversion: id }, 'conversion not claimed')
    }
  }

  async function claim(id: string): Promise<ConversionRow | undefined> {
    const row = await table().where({ id, status: 'queued' }).first()
    if (!row) return
    const attempts = row.attempts + 1
    const claimed = await table().where({ id, status: 'queued' }).update({ status: 'processing', attempts })
    return claimed ? { ...row, attempts } : undefined
  }

  async function convert(row: ConversionRow, signal: AbortSignal): Promise<void> {
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
      signal,
      report: createReport(row),
    })
    signal.throwIfAborted()
    const extension = made.paged ? 'zip' : row.to_format
    const key = storageKey('outputs', row.id.replace('conv_', ''), row.name, extension, Number(row.created_at))
    await storage.publish(made.path, key)
    // An end that came from outside in the meantime stands, and the result goes.
    const completed = await end(
      row,
      ['processing'],
      {
        status: 'completed',
        progress: 100,
        output_key: key,
        output_size: made.size,
        output_mime: made.paged ? 'application/zip' : catalogue.known.get(row.to_format)!.mime,
        output_extension: extension,
        completed_at: Date.now(),
      },
      row.attempts,
    )
    if (!completed) await storage.remove(key)
  }

  /** Writes progress that has grown, not too often; a run again starts where the client saw it last. */
  function createReport(row: ConversionRow): (fraction: number) => void {
    let shown = row.progress
    let next = Date.now() + PROGRESS_INTERVAL
    return (fraction) => {
      const percent = Math.min(99, Math.floor(fraction * 100))
      if (!(percent > shown) || Date.now() < next) return
      shown = percent
      next = Date.now() + PROGRESS_INTERVAL
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
      await table()
        .where(mine)
        .update({ status: 'queued', attempts: row.attempts - 1 })
      return
    }
    const { code, message } = explain(error)
    if (code === 'INTERNAL_SERVER_ERROR') log.error({ err: error, conversion: row.id }, 'conversion broke')
    await end(row, ['processing'], { status: 'failed', error_code: code, error_message: message }, row.attempts)
  }
}

function explain(error: unknown): { code: FailureCode; message: string } {
  if (error instanceof ConversionFailure) return { code: error.code, message: error.message.slice(0, 500) }
  if (error instanceof ServiceError && error.code === 'STORAGE_FULL') {
    return { code: 'RESOURCE_LIMIT', message: 'The storage is full: the result could not be kept' }
  }
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The conversion failed for an unexpected reason; try again' }
}
