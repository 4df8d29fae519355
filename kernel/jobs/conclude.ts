import type { Database } from '../database/database.ts'
import { whenBoth } from '../database/retry.ts'
import type { Ending } from '../database/tables/conversion-claims.ts'
import { type ConversionRow, findConversion } from '../database/tables/conversions.ts'
import type { Changes } from '../events/changes.ts'
import { announceEnd, type ConversionEvents } from '../events/events.ts'
import type { End } from './end.ts'
import type { Work } from './findings.ts'

/** A claim that ends. */
interface EndingClaim {
  row: ConversionRow
  work: Work
  /** Aborts when the job must end. */
  signal: AbortSignal
}

/**
 * Returns a function that records the end of a claim. It resolves to true if the outcome of this claim was recorded.
 */
export function createConclude({
  database,
  end,
  events,
  changes,
  stopping,
  written,
}: {
  database: Database
  end: End
  events: ConversionEvents
  changes: Changes
  /** Aborts when the service stops. */
  stopping: AbortSignal
  /** Repeats work while the database is unavailable, until the signal aborts. */
  written: <T>(id: string, work: (again: boolean) => Promise<T>, signal: AbortSignal) => Promise<T>
}) {
  return async function conclude({ row, work, signal }: EndingClaim, ending: Ending): Promise<boolean> {
    const { id, fence } = row
    async function record(again: boolean): Promise<boolean> {
      const ended = await end(row, { statuses: ['processing'], fence }, ending, work)
      if (ended || !again) return ended
      // The earlier try may have recorded it, lost the answer and told nobody. Its result must then stay.
      const now = await findConversion(database, id)
      const isOwn = now?.status === ending.status && now.fence === fence
      if (!isOwn) return false
      announceEnd(events, { row, ending })
      changes.publish({ conversion: id, owner: row.owner, batch: row.batch })
      return true
    }
    // A service that stops repeats it as long as the job may run.
    using both = whenBoth(stopping, signal)
    return await written(id, record, both.signal)
  }
}
