import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { type BacklogRow, listBacklog, listBacklogOf } from '../database/tables/backlog.ts'
import { countQueuedByKind } from '../database/tables/queued-by-kind.ts'
import type { BacklogEntry } from './queue/promotion.ts'
import { scheduled } from './scheduled.ts'

/** The pending conversions in the database, as the queue of several nodes reads them. */
export function createBacklog(config: Config, database: Database) {
  /** The last lane that was listed with those of others; undefined: the next look begins with the first one. */
  let last: string | undefined

  async function listNext(max: number): Promise<BacklogRow[]> {
    const { rows, after } = await listBacklog(database, { max, after: last })
    last = after
    return rows
  }

  return {
    async list(max: number, lane?: string): Promise<BacklogEntry[]> {
      const rows = lane === undefined ? await listNext(max) : await listBacklogOf(database, lane, max)
      return rows.map((row) => {
        const running = row.status === 'processing'
        // The running attempt counts already.
        const job = scheduled({ ...row, attempts: row.attempts - Number(running) }, config)
        return {
          job,
          fence: row.fence,
          node: running ? (row.node ?? '') : null,
          pair: `${row.from_format}>${row.to_format}`,
        }
      })
    },
    count: () => countQueuedByKind(database),
  }
}
