import { once } from 'node:events'
import { type Owner, ownersSeenBy } from '../accounts/owner.ts'
import type { StoredBytes } from '../accounts/stored-bytes.ts'
import type { Teams } from '../accounts/teams.ts'
import { decodeCursor, encodeCursor } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { LookUp } from '../database/look-up.ts'
import { type ConversionRow, PENDING, type Status } from '../database/tables/conversions.ts'
import type { Transact } from '../database/transact.ts'
import { ConversionFailure, ServiceError } from '../errors.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import { isKey, outputKey } from '../storage/names.ts'
import type { Storage } from '../storage/storage.ts'
import type { End } from './end.ts'
import { type Conversion, toConversion } from './records.ts'
import { removeTrail } from './trails.ts'

/** The records of conversions, as their owners and time change them. */
export interface ConversionRecords {
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  get(owner: Owner, id: string): Promise<Conversion>
  /** As `get`, but waits up to `seconds` for the end. */
  wait(owner: Owner, id: string, seconds: number, signal: AbortSignal): Promise<Conversion>
  /** The owner's own, newest first. @throws ServiceError BAD_REQUEST for a cursor that it did not give. */
  list(
    owner: Owner,
    query: { status?: Status; limit: number; cursor?: string },
  ): Promise<{ conversions: Conversion[]; nextCursor: string | null }>
  /** Cancels what is queued or processing, deletes what has ended with its output. @throws ServiceError NOT_FOUND. */
  remove(owner: Owner, id: string): Promise<void>
  /** How many of the owner's own are queued or processing. */
  countPending(owner: Owner): Promise<number>
  /** Ends the queued conversions of an upload that is gone. */
  sourceRemoved(key: string): Promise<void>
  /** Removes at most `limit` ended conversions that have expired; resolves to their number. */
  sweep(now: number, limit: number): Promise<number>
}

/** The record of every conversion, from the request to its expiry. */
export function createConversionRecords({
  database,
  lookUp,
  storage,
  scheduler,
  events,
  end,
  teams,
  storedBytes,
  transact,
}: {
  database: Database
  lookUp: LookUp
  storage: Storage
  scheduler: Scheduler
  events: ConversionEvents
  end: End
  teams: Pick<Teams, 'sees'>
  storedBytes: StoredBytes
  transact: Transact
}): ConversionRecords {
  const table = () => database<ConversionRow>('conversions')

  async function find(owner: Owner, id: string): Promise<ConversionRow> {
    const row: ConversionRow | undefined = isKey(id) ? await lookUp('conversions', 'id', id) : undefined
    if (!row || !(await teams.sees(owner, row.owner)) || (row.expires_at !== null && row.expires_at <= Date.now())) {
      throw new ServiceError('NOT_FOUND', 'There is no such conversion: it does not exist, has expired or was removed')
    }
    return row
  }

  /** Ends a conversion from outside; the runner of one that is processing sees its signal abort. */
  async function cancel(row: ConversionRow, statuses: readonly Status[], message: string): Promise<boolean> {
    const failed = { status: 'failed', error_code: 'CANCELLED', error_message: message } as const
    if (!(await end(row, statuses, failed))) return false
    scheduler.cancel(row.id, new ConversionFailure('CANCELLED', message))
    return true
  }

  async function erase(row: ConversionRow): Promise<void> {
    const results = row.output_key ? [row.output_key] : [row.to_format, 'zip'].map((format) => outputKey(row, format))
    for (const key of results) await storage.remove(key)
    await transact(function* () {
      // Of two that remove it at one time, one gives its bytes back.
      if (yield { sql: 'delete from conversions where id = ?', values: [row.id] }) {
        yield* storedBytes.giveBack(row.charged_to, Number(row.output_size ?? 0))
      }
    })
    // Last: until its record is gone, a trail may still be written.
    await removeTrail(database, row.id)
  }

  return {
    get: async (owner, id) => toConversion(await find(owner, id)),

    async wait(owner, id, seconds, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
      for (;;) {
        // Listening starts before looking: an end in between is not missed.
        const ended = new AbortController()
        const end = once(events, id, { signal: AbortSignal.any([limit, ended.signal]) }).catch(() => {})
        const row = await find(owner, id)
        if (!PENDING.includes(row.status) || limit.aborted) {
          ended.abort()
          return toConversion(row)
        }
        await end
      }
    },

    async list(owner, { status, limit, cursor }) {
      if (owner.shared) return { conversions: [], nextCursor: null }
      const query = table().whereIn('owner', ownersSeenBy(owner))
      if (status) query.andWhere({ status })
      if (cursor !== undefined) query.andWhere('id', '<', decodeCursor(cursor))
      const live = query.andWhere((either) => either.whereNull('expires_at').orWhere('expires_at', '>', Date.now()))
      const rows = await live.orderBy('id', 'desc').limit(limit + 1)
      const page = rows.slice(0, limit)
      return {
        conversions: page.map(toConversion),
        nextCursor: rows.length > limit ? encodeCursor(page.at(-1)!.id) : null,
      }
    },

    async remove(owner, id) {
      const row = await find(owner, id)
      if (PENDING.includes(row.status) && (await cancel(row, PENDING, 'The conversion was cancelled'))) return
      // From here on nobody sees it; what a crash leaves over, the sweeper takes.
      await table().where({ id }).update({ expires_at: 0 })
      await erase((await table().where({ id }).first()) ?? row)
    },

    async countPending({ id }) {
      const [counted] = await table().where({ owner: id }).whereIn('status', PENDING).count({ pending: '*' })
      return Number(counted!.pending)
    },

    async sourceRemoved(key) {
      const queued = await table().where({ source_key: key, status: 'queued' })
      for (const row of queued) await cancel(row, ['queued'], 'The source file was removed or has expired')
    },

    async sweep(now, limit) {
      const expired = await table().where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
      for (const row of expired) await erase(row)
      return expired.length
    },
  }
}
