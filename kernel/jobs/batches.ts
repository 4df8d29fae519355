import type { Intent } from '../contract.ts'
import { currentRequest } from '../current-request.ts'
import { newId } from '../database/ids.ts'
import {
  deleteBatch,
  deleteExpiredBatches,
  insertBatch,
  listInterrupted,
  noteStarted,
  readBatch,
  readBatchCounts,
} from '../database/tables/batches.ts'
import { PENDING } from '../database/tables/conversions.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import { isKey } from '../files/storage/keys.ts'
import { folderOf } from '../files/uploads/portable-name.ts'
import type { NoteMade } from '../people/idempotency.ts'
import { expiryOf, type Owner } from '../people/owner.ts'
import { resultsOf } from './batch-results.ts'
import { createChoose } from './chosen-results.ts'
import { recordBatchEnd } from './end.ts'
import type { JobNeeds } from './needs.ts'
import { type BatchState, type Conversion, toBatchState, toConversion } from './records.ts'
import type { Start, Started, StartRequest } from './start.ts'

/** The body of `POST /api/conversions/batch`. The HTTP layer has already checked its types. */
interface BatchRequest {
  files: readonly (Required<Pick<StartRequest, 'fileId' | 'fileName' | 'fileSize' | 'fromFormat'>> &
    Partial<Pick<StartRequest, 'toFormat' | 'jobIntent' | 'options'>> & {
      /** Relative path of the file. The ZIP of the results keeps its folders. */
      path?: string
    })[]
  toFormat: string
  jobIntent?: Intent
  options?: Record<string, unknown>
}

/** The outcome for one file of a request. Items keep the order of the request. */
export type BatchItem = { fileId: string; fileName: string } & (Started | { error: unknown })

/** A batch as its owner sees it. */
export interface Batch extends BatchState {
  /** Oldest first, without deleted ones. */
  conversions: Conversion[]
}

export type Batches = ReturnType<typeof createBatches>

/** Milliseconds after which a request that still starts a batch was interrupted. */
const INTERRUPTED = 3600_000

export function createBatches(kernel: JobNeeds, start: Start) {
  const { config, database, changes, teams } = kernel

  async function find(id: string) {
    const found = isKey(id) ? await readBatch(database, id) : undefined
    if (!found) return undefined
    const now = Date.now()
    const live = found.conversions.filter((row) => (row.expires_at ?? Infinity) > now)
    const pending = live.filter((row) => PENDING.includes(row.status))
    return found.batch.expires_at > now || pending.length ? { batch: found.batch, live, pending } : undefined
  }

  /** Notes that a request has accepted all its conversions. All of them may have ended already. */
  const endStart = (id: string) =>
    transact(database, async (transaction) => {
      await noteStarted(transaction, id)
      await recordBatchEnd(transaction, id, currentRequest.getStore()?.trace)
    })

  return {
    /**
     * Starts a conversion for each file. They are independent: if one is refused, the others still start.
     * @param made Called in the transaction that records the batch, before its conversions.
     * @throws ServiceError BATCH_TOO_LARGE; the first file's error if no file is accepted.
     */
    async start(owner: Owner, { files, options, ...shared }: BatchRequest, made?: NoteMade) {
      const payer = owner.team ?? owner
      const { filesPerBatch } = config.plans[payer.plan]
      if (filesPerBatch !== null && files.length > filesPerBatch) {
        const message = `files must have at most ${filesPerBatch} entries, as your plan allows`
        throw new ServiceError('BATCH_TOO_LARGE', message)
      }
      const id = newId('batch_')
      const now = Date.now()
      const counts = { total: 0, completed: 0, failed: 0 }
      const times = { created_at: now, expires_at: expiryOf({ owner: payer.id }, config, now) }
      await transact(database, async (transaction) => {
        await insertBatch(transaction, { id, owner: payer.id, ...counts, ...times, chosen: null, starting: 1 })
        await made?.(transaction, id)
      })
      const conversions: BatchItem[] = []
      // One after another, so that the first files get the queue places and the quota.
      for (const { fileId, fileName, path = '', ...file } of files) {
        const request = { ...shared, ...file, fileId, fileName, options: { ...options, ...file.options } }
        const place = { id, folder: folderOf(path) }
        const outcome = await start(owner, request, undefined, place).catch((error: unknown) => ({ error }))
        conversions.push({ fileId, fileName, ...outcome })
      }
      const [first] = conversions
      if (conversions.every((item) => 'error' in item)) {
        await deleteBatch(database, id)
        throw (first as { error: unknown }).error
      }
      await endStart(id)
      changes.publish({ owner: payer.id, batch: id })
      return { batchId: id, conversions }
    },

    /** @throws ServiceError NOT_FOUND, also for another owner's batch. */
    async get(owner: Owner, id: string) {
      const found = await find(id)
      if (!found || !(await teams.sees(owner, found.batch.owner))) throw noSuchBatch()
      const { live, pending } = found
      const state = toBatchState(found.batch, {
        pending: pending.length,
        queued: pending.filter(({ status }) => status === 'queued').length,
        progress: pending.reduce((sum, { progress }) => sum + progress, 0),
      })
      return { ...state, conversions: live.map(toConversion) }
    },

    /** Does not read its conversions. @throws ServiceError NOT_FOUND, also for another owner's batch. */
    async state(owner: Owner, id: string) {
      const found = isKey(id) ? await readBatchCounts(database, id) : undefined
      const isLive = found && (found.expires_at > Date.now() || found.pending > 0)
      if (!isLive || !(await teams.sees(owner, found.owner))) throw noSuchBatch()
      return toBatchState(found, found)
    },

    choose: createChoose(kernel),

    /** What the ZIP of a batch holds; undefined unless all its conversions have ended. Does not check the owner. */
    async results(id: string) {
      const found = await find(id)
      return found && !found.pending.length ? resultsOf(found.batch, found.live) : undefined
    },

    /** Removes at most `limit` batches that have ended and expired. Resolves to the number removed. */
    async sweep(now: number, limit: number) {
      for (const id of await listInterrupted(database, now - INTERRUPTED, limit)) await endStart(id)
      return deleteExpiredBatches(database, now, limit)
    },
  }
}

const noSuchBatch = () => new ServiceError('NOT_FOUND', 'There is no such batch: it does not exist or has expired')
