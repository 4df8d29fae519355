import type { Database } from '../database/database.ts'
import { listQueuedOfPair, listQueuedPairs } from '../database/tables/backlog.ts'
import { GRACE } from '../database/tables/nodes.ts'
import type { End } from '../jobs/end.ts'
import { notSupported } from '../jobs/failure.ts'
import type { NodeMembership } from './membership.ts'

/**
 * Creates the sweep that ends conversions which wait for nodes that will not come back: another node has worked for the
 * whole grace, and none that lived meanwhile can convert the pair.
 */
export function createRefuseUnsupported(
  database: Database,
  end: End,
  { roster, refresh }: Pick<NodeMembership, 'roster' | 'refresh'>,
) {
  return async function refuseUnsupported(_now: number, limit: number): Promise<number> {
    if (roster.worksFor() < GRACE) return 0
    const waiting = await listQueuedPairs(database)
    // Read after the conversions: a pair is accepted only after a node has reported it.
    await refresh()
    const gone = waiting.filter((pair) => !roster.offered().has(`${pair.from_format}>${pair.to_format}`))
    let ended = 0
    for (const pair of gone) {
      const { code, message } = notSupported(pair)
      const rows = await listQueuedOfPair(database, pair, limit - ended)
      for (const row of rows) {
        const failed = { status: 'failed', error_code: code, error_message: message } as const
        await end(row, { statuses: ['queued'], fence: row.fence }, failed)
      }
      ended += rows.length
      if (ended === limit) break
    }
    return ended
  }
}
