import type { Config } from '../../config/config.ts'
import { expiryOf } from '../accounts/expiry.ts'
import type { Owner } from '../accounts/owner.ts'
import type { Teams } from '../accounts/teams.ts'
import type { Intent } from '../contract.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { deleteBatch, deleteExpiredBatches, insertBatch, readBatch } from '../database/tables/batches.ts'
import { PENDING, type Status } from '../database/tables/conversions.ts'
import { ServiceError } from '../errors.ts'
import { isKey } from '../storage/keys.ts'
import { type Conversion, toConversion } from './records.ts'
import type { Start, Started, StartRequest } from './start.ts'

/** The body of `POST /api/conversions/batch`; its types were checked before. */
export interface BatchRequest {
  files: readonly (Required<Pick<StartRequest, 'fileId' | 'fileName' | 'fileSize' | 'fromFormat'>> &
    Pick<StartRequest, 'options'>)[]
  toFormat: string
  jobIntent?: Intent
  options?: Record<string, unknown>
}

/** What became of each file of a request, in its order. */
export type BatchItem = { fileId: string; fileName: string } & (Started | { error: unknown })

/** A batch as its owner sees it. */
export interface Batch {
  id: string
  status: Exclude<Status, 'failed'>
  /** Conversions that were accepted. `completed` and `failed` count those that have ended, deleted ones too. */
  total: number
  completed: number
  failed: number
  /** 0 to 100. */
  progress: number
  /** Epoch milliseconds. */
  createdAt: number
  /** Oldest first, without those that were deleted. */
  conversions: Conversion[]
}

export interface Batches {
  /**
   * Starts a conversion for each file. They are independent: a refused one does not stop the others.
   * @throws ServiceError BATCH_TOO_LARGE; the error of the first file when none is accepted.
   */
  start(owner: Owner, request: BatchRequest): Promise<{ batchId: string; conversions: BatchItem[] }>
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  get(owner: Owner, id: string): Promise<Batch>
  /** Removes at most `limit` batches that have ended and expired; resolves to their number. */
  sweep(now: number, limit: number): Promise<number>
}

export function createBatches({
  config,
  database,
  start,
  teams,
}: {
  config: Config
  database: Database
  start: Start
  teams: Pick<Teams, 'sees'>
}): Batches {
  return {
    async start(owner, { files, options, ...shared }) {
      const payer = owner.team ?? owner
      const { filesPerBatch } = config.plans[payer.plan]
      if (filesPerBatch !== null && files.length > filesPerBatch) {
        throw batchTooLarge(filesPerBatch)
      }
      const id = newId('batch_')
      const now = Date.now()
      await insertBatch(database, {
        ...{ id, owner: payer.id, total: 0, completed: 0, failed: 0 },
        ...{ created_at: now, expires_at: expiryOf({ owner: payer.id }, config, now) },
      })
      const conversions: BatchItem[] = []
      // One after another, so that places and quota go to the first files.
      for (const { fileId, fileName, ...file } of files) {
        const request = { ...shared, ...file, fileId, fileName, options: { ...options, ...file.options } }
        const outcome = await start(owner, request, id).catch((error: unknown) => ({ error }))
        conversions.push({ fileId, fileName, ...outcome })
      }
      const [first] = conversions
      if (conversions.every((item) => 'error' in item)) {
        await deleteBatch(database, id)
        throw (first as { error: unknown }).error
      }
      return { batchId: id, conversions }
    },

    async get(owner, id) {
      const found = isKey(id) ? await readBatch(database, id) : undefined
      const now = Date.now()
      const live = (found?.conversions ?? []).filter((row) => (row.expires_at ?? Infinity) > now)
      const pending = live.filter((row) => PENDING.includes(row.status))
      const isOver = found && found.batch.expires_at <= now && !pending.length
      if (!found || !(await teams.sees(owner, found.batch.owner)) || isOver) {
        throw new ServiceError('NOT_FOUND', 'There is no such batch: it does not exist or has expired')
      }
      const { total, completed, failed, created_at } = found.batch
      const done = pending.reduce((sum, row) => sum + row.progress, 100 * (total - pending.length))
      const waits = pending.length === total && pending.every((row) => row.status === 'queued')
      return {
        ...{ id, total, completed, failed, createdAt: created_at },
        status: pending.length ? (waits ? 'queued' : 'processing') : 'completed',
        progress: Math.floor(done / total),
        conversions: live.map(toConversion),
      }
    },

    sweep: (now, limit) => deleteExpiredBatches(database, now, limit),
  }
}

/** @param most Files of one batch. */
export const batchTooLarge = (most: number) =>
  new ServiceError('BATCH_TOO_LARGE', `files must have at most the ${most} entries of your plan`)
