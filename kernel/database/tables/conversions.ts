import type { PlanName } from '../../../config/config.ts'
import type { FailureCode, Intent } from '../../contract.ts'
import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** Every status of a conversion. */
export const CONVERSION_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const
export type Status = (typeof CONVERSION_STATUSES)[number]

/** Statuses of conversions that have not ended. */
export const PENDING: readonly Status[] = ['queued', 'processing']

/** The fields of a new row of the table `conversions`. */
export interface NewConversion {
  /** `conv_…`; ids sort by time. */
  id: string
  /** `guest_…`, `user_…` or `team_…`. */
  owner: string
  plan: PlanName
  status: Status
  /** 0 to 100. */
  progress: number
  category: string
  from_format: string
  to_format: string
  intent: Intent
  /** The options as the client sent them, JSON. */
  options: string
  source_key: string
  /** Bytes. */
  source_size: number
  /** SHA-256 of the source in hexadecimal; null: not known. */
  source_sha256: string | null
  /** Name of the download without extension. */
  name: string
  /** 0 or 1: MariaDB and SQLite have no other booleans. */
  heavy: number
  /** Number of starts. A hand-back at shutdown does not count. */
  attempts: number
  /** Number of claims. It only rises, so an expired claim cannot write any more. */
  fence: number
  /** Epoch milliseconds. */
  created_at: number
  /** Subjects of the charged quotas, separated by spaces; null: nobody. */
  charged_to: string | null
  /** Its batch. */
  batch: string | null
  /** Folder of its result in the ZIP of its batch: a relative path with `/` at its end; null: no folder. */
  folder: string | null
  /**
   * Who shares its limits of pending and heavy conversions: an account, also for its teams, or a network. See
   * `../lanes.ts`.
   */
  lane: string
  /** Id of the request that started it, for the log; null: it is not known. */
  request_id: string | null
  /** The place in a trace at which it was started, as of `TraceContext`; null: none. */
  traceparent: string | null
  tracestate: string | null
}

/** A row of the table `conversions`. */
export interface ConversionRow extends NewConversion {
  /** The node that claimed it last; null: the only one, or none yet. */
  node: string | null
  /** When it was last claimed, in epoch milliseconds; null: never. */
  claimed_at: number | null
  output_key: string | null
  /** Bytes. */
  output_size: number | null
  output_mime: string | null
  output_extension: string | null
  error_code: FailureCode | null
  error_message: string | null
  /** Epoch milliseconds. */
  completed_at: number | null
  /** Epoch milliseconds; null until it ends; 0: deleted, and its bytes are still to be removed. */
  expires_at: number | null
}

const conversions = (database: Database) => database<ConversionRow>('conversions')

/** Returns a conversion, expired or not. */
export const findConversion = (database: Database, id: string): Promise<ConversionRow | undefined> =>
  conversions(database).where({ id }).first()

export const findConversionByOutput = (database: Database, output_key: string): Promise<ConversionRow | undefined> =>
  conversions(database).where({ output_key }).first()

/** Lists the conversions that exist of these ids, in their order. */
export async function listConversionsWithIds(database: Database, ids: readonly string[]): Promise<ConversionRow[]> {
  const rows = new Map((await conversions(database).whereIn('id', ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** Lists conversions in one status, oldest first. @param ids Only these; undefined: all. */
export const listInStatus = (
  database: Database,
  status: Status,
  ids?: ReadonlySet<string>,
): Promise<ConversionRow[]> => {
  const query = conversions(database).where({ status }).orderBy('id')
  return ids ? query.whereIn('id', [...ids]) : query
}

/** Lists queued conversions that need an upload. */
export const listQueuedOf = (database: Database, source_key: string): Promise<ConversionRow[]> =>
  conversions(database).where({ source_key, status: 'queued' })

/**
 * Lists the conversions of these owners that have not ended: first the queued ones, so that none of them starts in the
 * place of one that is being cancelled.
 */
export const listPendingOf = (database: Database, owners: readonly string[]): Promise<ConversionRow[]> =>
  conversions(database)
    .whereIn('owner', owners)
    .whereIn('status', PENDING)
    .orderBy([
      { column: 'status', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])

/**
 * Lists conversions for operators: the waiting and running ones, and those that failed after a time, the newest first.
 *
 * @param filter `owner`: only of this one. `since`: epoch milliseconds. `limit`: maximum number.
 */
export function listForOperators(
  database: Database,
  { owner, since, limit }: { owner?: string | undefined; since: number; limit: number },
): Promise<ConversionRow[]> {
  const query = conversions(database)
    .where((either) =>
      either
        .whereIn('status', PENDING)
        .orWhere((failed) => failed.where({ status: 'failed' }).andWhere('created_at', '>=', since)),
    )
    .orderBy('id', 'desc')
    .limit(limit)
  return owner === undefined ? query : query.andWhere({ owner })
}

/** Returns the ids of all conversions that have not ended. */
export const listPendingIds = (database: Database): Promise<string[]> =>
  conversions(database).whereIn('status', PENDING).pluck('id')

export const countPendingOf = (database: Database, owner: string): Promise<number> =>
  countRows(conversions(database).where({ owner }).whereIn('status', PENDING))

export const countConversionsOf = (database: Database, owners: readonly string[]): Promise<number> =>
  countRows(conversions(database).whereIn('owner', owners))

/** Returns when the first of an owner's conversions expires, in epoch milliseconds; undefined: none has ended. */
export async function firstConversionExpiry(database: Database, owner: string): Promise<number | undefined> {
  const row = await conversions(database).where({ owner }).min({ at: 'expires_at' }).first()
  return row?.at == null ? undefined : Number(row.at)
}

/** Makes a conversion expire now. */
export async function expireConversion(database: Database, id: string): Promise<void> {
  await conversions(database).where({ id }).update({ expires_at: 0 })
}

/**
 * Ends all queued and processing conversions of these owners. Refunds nothing, because the owners are gone. The service
 * notices that and stops the running ones.
 */
export async function cancelConversionsOf(database: Database, owners: readonly string[]): Promise<void> {
  const cancelled = { status: 'failed', error_code: 'CANCELLED', error_message: 'The account was deleted' } as const
  await conversions(database).whereIn('owner', owners).whereIn('status', PENDING).update(cancelled)
}

/** Makes the ended conversions of these owners expire now. */
export async function expireConversionsOf(database: Database, owners: readonly string[]): Promise<void> {
  await conversions(database)
    .whereIn('owner', owners)
    .whereIn('status', ['completed', 'failed'])
    .update({ expires_at: 0 })
}

/** Lists at most `limit` expired conversions, the oldest first. @param except Ids of others. */
export const listExpiredConversions = (
  database: Database,
  now: number,
  limit: number,
  except: readonly string[],
): Promise<ConversionRow[]> =>
  conversions(database).where('expires_at', '<=', now).whereNotIn('id', except).orderBy('expires_at').limit(limit)

/** Resolves to whether it existed. */
export const deleteConversion = async (database: Database, id: string): Promise<boolean> =>
  (await conversions(database).where({ id }).delete()) > 0
