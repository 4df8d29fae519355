import type { FailureCode } from '../../contract.ts'
import type { Database } from '../database.ts'
import { now, raw } from '../server.ts'
import { type ConversionRow, findConversion, type Status } from './conversions.ts'

/** A conversion and the claim on it. Writes of a claim take effect only until there is a later claim. */
export type Fenced = Pick<ConversionRow, 'id' | 'fence'>

/** Names a claim: a later one of the same conversion has another name. */
export const claimName = ({ id, fence }: Fenced): string => `${id}-${fence}`

const claimed = (database: Database, { id, fence }: Fenced) =>
  database<ConversionRow>('conversions').where({ id, fence, status: 'processing' })

/**
 * Claims a queued conversion: its fence and its attempts rise by one. Resolves to its new row, or to undefined if it is
 * not queued or another claim was faster.
 *
 * @param node The node that claims it, if there are several. The claim is valid while this node lives.
 */
export async function claimConversion(
  database: Database,
  id: string,
  node: string | null = null,
): Promise<ConversionRow | undefined> {
  const row = await findConversion(database, id)
  if (row?.status !== 'queued') return undefined
  const { status, fence } = row
  const claim = { status: 'processing' as const, attempts: row.attempts + 1, fence: fence + 1, node }
  const matched = await database<ConversionRow>('conversions')
    .where({ id, status, fence })
    .update({ ...claim, claimed_at: raw(database, now(database)) })
  return matched ? { ...row, ...claim } : undefined
}

/** Resolves to whether the claim is valid and has been for so many milliseconds, by the clock of the database. */
export const hasRunFor = async (database: Database, claim: Fenced, duration: number): Promise<boolean> =>
  (await claimed(database, claim)
    .whereRaw(`claimed_at <= ${now(database)} - ?`, [duration])
    .first('id')) !== undefined

/** Puts a claimed conversion back into the queue for another attempt. Resolves to whether the claim was still valid. */
export const requeue = async (database: Database, claim: Fenced): Promise<boolean> =>
  (await claimed(database, claim).update({ status: 'queued' })) > 0

/**
 * Requeues a claimed conversion without counting the attempt. Resolves to whether the claim was still valid.
 *
 * @param change `heavy`: from now on it waits for a heavy place.
 */
export const handBack = async (database: Database, claim: Fenced, change: { heavy?: 1 } = {}): Promise<boolean> =>
  (await claimed(database, claim)
    .update({ status: 'queued', ...change })
    .decrement('attempts')) > 0

/** Raises the progress, 0 to 100. Resolves to whether it did: not if the claim has expired. */
export const noteProgress = async (database: Database, claim: Fenced, progress: number): Promise<boolean> =>
  (await claimed(database, claim).andWhere('progress', '<', progress).update({ progress })) > 0

/** The end of a conversion in its record. */
export type Ending =
  | {
      status: 'failed'
      error_code: FailureCode
      error_message: string
      /** Whether it counts towards the quota. Default: false. */
      charged?: boolean
    }
  | {
      status: 'completed'
      output_key: string
      /** Bytes. */
      output_size: number
      output_mime: string
      output_extension: string
      /** Epoch milliseconds. */
      completed_at: number
    }

/** When a conversion may end: in one of these statuses and, if a claim ends it, while that claim is valid. */
export interface EndsFrom {
  statuses: readonly Status[]
  fence?: number
}

/**
 * Ends a conversion. Resolves to false if it may not end in this way.
 *
 * @param expires_at Epoch milliseconds.
 */
export async function endConversion(
  transaction: Database,
  id: string,
  { statuses, fence }: EndsFrom,
  ending: Ending,
  expires_at: number,
): Promise<boolean> {
  const row = transaction<ConversionRow>('conversions').where({ id }).whereIn('status', statuses)
  if (fence !== undefined) row.andWhere({ fence })
  if (ending.status === 'completed') return (await row.update({ ...ending, progress: 100, expires_at })) > 0
  const { charged: _, ...failure } = ending
  return (await row.update({ ...failure, expires_at })) > 0
}
