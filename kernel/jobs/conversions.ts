import type { Database } from '../database/database.ts'
import { expireOwned } from '../database/expire-owned.ts'
import { cursorAfter, decodeCursor } from '../database/ids.ts'
import { createRowSweep } from '../database/rows.ts'
import {
  type ConversionRow,
  countPendingOf,
  deleteConversion,
  expireConversion,
  findConversion,
  listExpiredConversions,
  listPendingOf,
  listQueuedOf,
  PENDING,
  type Status,
} from '../database/tables/conversions.ts'
import { findShown, listConversions, type ShownRow } from '../database/tables/shown-conversions.ts'
import { deleteTrail } from '../database/tables/trails.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import { isKey } from '../files/storage/keys.ts'
import { type Owner, ownersSeenBy, owns } from '../people/owner.ts'
import type { Cancel } from './end.ts'
import type { JobNeeds } from './needs.ts'
import { outputKeys } from './output-keys.ts'
import { toConversion } from './records.ts'
import { SOURCE_REMOVED } from './source.ts'
import { readSummary } from './work.ts'

const CANCELLED = 'The conversion was cancelled'

/** Reads and removes conversion records, for their owners and for the sweeper. */
export type ConversionRecords = ReturnType<typeof createConversionRecords>

export function createConversionRecords(kernel: JobNeeds, cancel: Cancel) {
  const { database, storage, changes, storedBytes, drained, teams, log } = kernel
  async function find<Row extends ShownRow>(
    owner: Owner,
    id: string,
    read: (database: Database, id: string) => Promise<Row | undefined>,
  ): Promise<Row> {
    const row = isKey(id) ? await read(database, id) : undefined
    const isSeen = row && (owns(owner, row.owner) || (await teams.sees(owner, row.owner)))
    if (!isSeen || (row.expires_at !== null && row.expires_at <= Date.now())) {
      throw new ServiceError('NOT_FOUND', 'There is no such conversion: it does not exist, has expired or was removed')
    }
    return row
  }

  async function erase(row: ConversionRow): Promise<void> {
    for (const key of outputKeys(row)) await storage.remove(key)
    await transact(database, async (transaction) => {
      // If two callers remove the same conversion at once, only one releases its bytes.
      if (!(await deleteConversion(transaction, row.id))) return
      await deleteTrail(transaction, row.id)
      await storedBytes.giveBack(transaction, row.charged_to, Number(row.output_size ?? 0))
    })
    changes.publish({ owner: row.owner })
  }

  return {
    /** @throws ServiceError NOT_FOUND, also for another owner's conversion. */
    get: async (owner: Owner, id: string) => toConversion(await find(owner, id, findShown)),
    /** Returns the `fileId` of the source, which may have expired. @throws ServiceError NOT_FOUND. */
    source: async (owner: Owner, id: string) => (await find(owner, id, findConversion)).source_key,

    /** Returns what is known of the work on it: nothing before its end. @throws ServiceError NOT_FOUND. */
    async report(owner: Owner, id: string) {
      const row = await find(owner, id, findConversion)
      return { conversion: toConversion(row), sha256: row.source_sha256, summary: await readSummary(database, id) }
    },

    /** Like `get`, but waits up to `seconds` for the conversion to end, while the service runs conversions. */
    async wait(owner: Owner, id: string, seconds: number, signal: AbortSignal) {
      const limit = AbortSignal.any([signal, drained, AbortSignal.timeout(seconds * 1000)])
      for (;;) {
        // Listen before reading, so that an end in between is not missed.
        const ended = new AbortController()
        const end = changes.ended(id, AbortSignal.any([limit, ended.signal]))
        const row = await find(owner, id, findShown)
        if (!PENDING.includes(row.status) || limit.aborted) {
          ended.abort()
          return toConversion(row)
        }
        await end
        // The service stops, and runs no conversion any more. The client can ask again, after the restart or elsewhere.
        if (drained.aborted) return toConversion(row)
      }
    },

    /** Lists the owner's conversions, newest first. @throws ServiceError BAD_REQUEST for a cursor it did not issue. */
    async list(owner: Owner, { status, limit, cursor }: { status?: Status; limit: number; cursor?: string }) {
      if (owner.shared) return { conversions: [], nextCursor: null }
      const rows = await listConversions(database, ownersSeenBy(owner), {
        ...(status && { status }),
        ...(cursor !== undefined && { before: decodeCursor(cursor) }),
        limit: limit + 1,
        now: Date.now(),
      })
      return { conversions: rows.slice(0, limit).map(toConversion), nextCursor: cursorAfter(rows, limit) }
    },

    /** Cancels a pending conversion; deletes an ended one with its output. @throws ServiceError NOT_FOUND. */
    async remove(owner: Owner, id: string) {
      const row = await find(owner, id, findConversion)
      if (PENDING.includes(row.status) && (await cancel(row, PENDING, CANCELLED))) return
      // From here on clients get NOT_FOUND. If the service stops now, the sweeper removes the rest.
      await expireConversion(database, id)
      await erase((await findConversion(database, id)) ?? row)
    },

    /**
     * Removes everything that the owner sees in lists: cancels pending conversions, and makes all conversions, batches
     * and uploads expire now. The sweeper removes the bytes.
     */
    async removeAll(owner: Owner) {
      const owners = ownersSeenBy(owner)
      await expireOwned(database, owners, async () => {
        for (const row of await listPendingOf(database, owners)) await cancel(row, PENDING, CANCELLED)
      })
      for (const id of owners) changes.publish({ owner: id })
    },

    /** Counts the owner's conversions that are queued or processing. */
    countPending: ({ id }: Owner) => countPendingOf(database, id),

    /** Cancels the queued conversions of a removed upload. */
    async sourceRemoved(key: string) {
      for (const row of await listQueuedOf(database, key)) {
        await cancel(row, ['queued'], SOURCE_REMOVED)
      }
    },

    /** Removes at most `limit` expired conversions. Resolves as `createRowSweep` says. */
    sweep: createRowSweep({
      list: (now, limit, except) => listExpiredConversions(database, now, limit, except),
      keyOf: ({ id }) => id,
      erase,
      log,
    }),
  }
}
