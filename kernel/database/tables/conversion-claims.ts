import type { FailureCode } from '../../contract.ts'
import { askCompound } from '../compound.ts'
import type { Database } from '../database.ts'
import type { Change } from '../work.ts'
import { type ConversionRow, readConversion, type Status } from './conversions.ts'

/** A conversion and the claim on it. Writes of a claim take effect only until there is a later claim. */
export type Fenced = Pick<ConversionRow, 'id' | 'fence'>

/** Names a claim: a later one of the same conversion has another name. */
export const claimName = ({ id, fence }: Fenced): string => `${id}-${fence}`

const claimed = (database: Database, { id, fence }: Fenced) =>
  database<ConversionRow>('conversions').where({ id, fence, status: 'processing' })

/**
 * Claims a queued conversion: its fence and its attempts rise by one. Resolves to its new row, or to undefined if it is not
 * queued or another claim was faster.
 *
 * @param node The node that claims it, if there are several. The claim is valid while this node lives.
 */
export async function claimConversion(
  database: Database,
  id: string,
  node: string | null = null,
): Promise<ConversionRow | undefined> {
  const claim = await askCompound<ConversionRow>(database, CLAIM, [node, id, id])
  if (claim) return claim[0]
  const row = await readConversion(database, id)
  if (row?.status !== 'queued') return undefined
  const changed = { status: 'processing' as const, attempts: row.attempts + 1, fence: row.fence + 1, node }
  const { status, fence } = row
  const matched = await database<ConversionRow>('conversions').where({ id, status, fence }).update(changed)
  return matched ? { ...row, ...changed } : undefined
}

/**
 * Only the connection that claimed it knows the number of its own claim as `last_insert_id()`. If somebody cancels it or claims
 * it again before it is read, this claim is void.
 */
const CLAIM = `begin not atomic
 update conversions set status = 'processing', attempts = attempts + 1, fence = last_insert_id(fence + 1), node = ?
 where id = ? and status = 'queued';
 if row_count() = 1 then
 select * from conversions where id = ? and status = 'processing' and fence = last_insert_id();
 end if; end`

/** Puts a claimed conversion back into the queue for another attempt. Resolves to whether the claim was still valid. */
export const requeue = async (database: Database, claim: Fenced): Promise<boolean> =>
  (await claimed(database, claim).update({ status: 'queued' })) > 0

/** Does the same if the attempt was interrupted through no fault of the conversion. The attempt does not count. */
export const handBack = async (database: Database, claim: Fenced): Promise<boolean> =>
  (await claimed(database, claim).update({
    status: 'queued',
    attempts: database.raw('attempts - 1') as never,
  })) > 0

/** Does the same for one that needs a heavy place: from now on it waits for one. */
export const handBackAsHeavy = async (database: Database, claim: Fenced): Promise<boolean> =>
  (await claimed(database, claim).update({
    ...{ status: 'queued', heavy: 1 },
    attempts: database.raw('attempts - 1') as never,
  })) > 0

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

/** When a conversion may end: in one of these statuses (two at most) and, if a claim ends it, while that claim is valid. */
export interface EndsFrom {
  statuses: readonly Status[]
  fence?: number
}

/** Ends a conversion. Matches no row if it may not end in this way. @param expires_at Epoch milliseconds. */
export function endConversion(id: string, { statuses, fence }: EndsFrom, ending: Ending, expires_at: number): Change {
  const which = [id, statuses[0]!, statuses.at(-1)!, fence ?? null]
  if (ending.status === 'failed') {
    return { sql: FAIL, values: [ending.error_code, ending.error_message, expires_at, ...which], usual: 1 }
  }
  const { output_key, output_size, output_mime, output_extension, completed_at } = ending
  const output = [output_key, output_size, output_mime, output_extension, completed_at]
  return { sql: COMPLETE, values: [...output, expires_at, ...which], usual: 1 }
}

const WHERE = 'where id = ? and status in (?, ?) and fence = coalesce(?, fence)'
const FAIL = `update conversions set status = 'failed', error_code = ?, error_message = ?, expires_at = ? ${WHERE}`
const COMPLETE = `update conversions set status = 'completed', progress = 100, output_key = ?, output_size = ?,
 output_mime = ?, output_extension = ?, completed_at = ?, expires_at = ? ${WHERE}`
