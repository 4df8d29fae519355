import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { listBacklog } from '../database/tables/backlog.ts'
import { countQueuedByKind } from '../database/tables/queued-by-kind.ts'
import type { Backlog } from './queue/promotion.ts'
import { scheduled } from './scheduled.ts'

/** The pending conversions in the database, as the queue of several nodes reads them. */
export const createBacklog = (config: Config, database: Database): Backlog => ({
  async list(max, lane) {
    const rows = await listBacklog(database, max, lane)
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
})
