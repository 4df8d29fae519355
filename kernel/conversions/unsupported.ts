import type { Database } from '../database/database.ts'
import { listQueuedOfPair, listQueuedPairs } from '../database/tables/backlog.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import type { End } from './end.ts'

/** The failure of a conversion that was accepted, and whose pair is gone since. */
export const notSupported = ({ from_format, to_format }: Pick<ConversionRow, 'from_format' | 'to_format'>) =>
  new ConversionFailure('CONVERSION_ERROR', `${from_format} to ${to_format} is not supported any more`)

/**
 * Creates the sweep that ends conversions which wait for nodes that will not come back: other nodes work, and none that lives, or
 * lived a short time ago, can convert the pair.
 */
export function createRefuseUnsupported({
  database,
  end,
  roster,
}: {
  database: Database
  end: End
  roster: { works(): boolean; offered(): ReadonlyMap<string, string> }
}) {
  return async function refuseUnsupported(_now: number, limit: number): Promise<number> {
    if (!roster.works()) return 0
    const waiting = await listQueuedPairs(database)
    const gone = waiting.find((pair) => !roster.offered().has(`${pair.from_format}>${pair.to_format}`))
    if (!gone) return 0
    const rows = await listQueuedOfPair(database, gone, limit)
    const { code, message } = notSupported(gone)
    for (const row of rows) {
      const failed = { status: 'failed', error_code: code, error_message: message } as const
      await end(row, { statuses: ['queued'], fence: row.fence }, failed)
    }
    return rows.length
  }
}
