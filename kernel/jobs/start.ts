import type { Intent, Plugin, Weighed } from '../contract.ts'
import { currentRequest } from '../current-request.ts'
import { newId } from '../database/ids.ts'
import { countAccepted } from '../database/tables/batches.ts'
import { admitConversion } from '../database/tables/conversion-admission.ts'
import type { NewConversion } from '../database/tables/conversions.ts'
import { ServiceError, storageFull } from '../errors.ts'
import { displayName, extensionOf, stemOf } from '../files/uploads/display-name.ts'
import type { StoredFile } from '../files/uploads/stored-file.ts'
import { callHook } from '../hooks.ts'
import type { NoteMade } from '../people/idempotency.ts'
import type { Owner } from '../people/owner.ts'
import { isNetwork, type Payer } from '../people/owner.ts'
import type { JobNeeds } from './needs.ts'
import { scheduled } from './queue/job.ts'
import type { Scheduler } from './queue/scheduler.ts'

/** The body of `POST /api/conversions`. The HTTP layer has already checked its types. */
export interface StartRequest {
  fileId: string
  toFormat: string
  fromFormat?: string
  fileName?: string
  fileSize?: number
  jobIntent?: Intent
  options?: Record<string, unknown>
}

/** The answer to an accepted conversion. */
export interface Started {
  conversionId: string
  /** Whether the conversion is waiting in the queue. */
  queued: boolean
  /** Number of waiting conversions. */
  queueDepth: number
}

/**
 * Checks a request in the contract's order, starting with its file; charges and records it.
 * @param made Called in the transaction that records it. @throws ServiceError.
 */
export type Start = (owner: Owner, request: StartRequest, made?: NoteMade, batch?: BatchPlace) => Promise<Started>

/** The batch of a conversion, and the folder of its result in the ZIP of the batch. */
interface BatchPlace {
  id: string
  folder: string
}

/** Starts a conversion. A file that has the format already is optimised. @throws ServiceError as `start`. */
export async function startOrOptimise(start: Start, owner: Owner, request: StartRequest): Promise<Started> {
  try {
    return await start(owner, request)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SAME_FORMAT_NOOP') throw error
    return start(owner, { ...request, jobIntent: 'transform' })
  }
}

/** Whether a job waits in the heavy lane from the beginning. @throws HookFault if `heavy` of the plugin fails. */
export const isHeavy = ({ category: plugin, heavy }: Plugin, job: Weighed): boolean =>
  Boolean(callHook({ plugin, hook: 'heavy' }, () => heavy?.(job)))

export function createStart(kernel: JobNeeds, accept: Accept, scheduler: Scheduler): Start {
  const { config, storage, files, storedBytes, recognise, changes } = kernel
  const { catalogue, options } = kernel.offered

  /**
   * Returns the format that `fileName` claims, if detection of the file under that name agrees. A signature in the file
   * decides; without one the name counts, as for an upload.
   */
  async function formatNamed(file: StoredFile, fileName = ''): Promise<string | undefined> {
    const name = displayName(fileName)
    const claimed = catalogue.canonical(extensionOf(name))
    if (!claimed || claimed === file.format) return undefined
    // Detection reads little, so the whole file is not compared with its hash.
    await using stored = await storage.checkOut(file.key, { size: file.size })
    const seen = await recognise(stored.path, name)
    return seen && 'extension' in seen && seen.extension === claimed ? claimed : undefined
  }

  return async function start(owner, request, made, batch) {
    // The file belongs to a member; the team pays for the conversion.
    const payer = owner.team ?? owner
    const plan = config.plans[payer.plan]
    const intent = request.jobIntent ?? 'convert'
    const file = await files.find(owner, request.fileId)
    const from = request.fromFormat ?? (await formatNamed(file, request.fileName)) ?? file.format
    const pair = catalogue.find(from, request.toFormat, intent)
    const given = request.options ?? {}
    options.check(pair.plugin, pair.to, given)
    const claimed = request.fileSize ?? 0
    if (plan.maxFileSize !== null && Math.max(file.size, claimed) > plan.maxFileSize) {
      const limit = `${plan.maxFileSize / 1e6} MB`
      throw new ServiceError('FILE_TOO_LARGE', `fileSize: the file is larger than the ${limit} that your plan allows`)
    }
    if (!(await storage.hasRoom())) throw storageFull()
    const complete = options.complete(pair.plugin, pair.to, intent, given)
    // biome-ignore lint/style/noNonNullAssertion: the pair has this format as its source.
    const source = catalogue.known.get(file.format)!
    const name = stemOf(displayName(request.fileName ?? file.name), [
      pair.from,
      source.extension,
      ...(source.aliases ?? []),
    ])
    const heavy = isHeavy(pair.plugin, { from: pair.from, to: pair.to, intent, size: file.size, options: complete })
    const { requestId, trace } = currentRequest.getStore() ?? {}
    const row: NewConversion = {
      id: newId('conv_'),
      owner: payer.id,
      plan: payer.plan,
      status: 'queued',
      progress: 0,
      category: pair.plugin.category,
      from_format: pair.from,
      to_format: pair.to,
      intent,
      options: JSON.stringify(given),
      source_key: file.key,
      source_size: file.size,
      source_sha256: file.sha256,
      name,
      heavy: heavy ? 1 : 0,
      attempts: 0,
      fence: 0,
      created_at: Date.now(),
      charged_to: payer.chargeTo.join(' '),
      // A team shares the lane of its owner, and guests that of their network. Otherwise they would multiply the limits
      // of a plan.
      lane: payer.client,
      batch: batch?.id ?? null,
      folder: batch?.folder || null,
      request_id: requestId ?? null,
      traceparent: trace?.traceparent ?? null,
      tracestate: trace?.tracestate ?? null,
    }
    await storedBytes.requireRoom(payer)
    scheduler.requireOpen()
    await accept(payer, row, claimed, made)
    changes.publish({ conversion: row.id, owner: row.owner, batch: row.batch, begun: true })
    const { queued, depth } = await scheduler.enqueue(scheduled(row, config))
    return { conversionId: row.id, queued, queueDepth: depth }
  }
}

/**
 * Charges and records a conversion in one transaction, if the quota, the owner's limit of pending conversions and the
 * capacity of the queue allow it. The database decides, so services that share it cannot exceed a limit together.
 *
 * @param claimed Size of the source according to the client, in bytes. @param made Called in the transaction.
 * @throws ServiceError QUOTA_EXCEEDED, QUEUE_FULL_USER, QUEUE_FULL_GLOBAL, in this order.
 */
type Accept = (payer: Payer, row: NewConversion, claimed: number, made?: NoteMade) => Promise<void>

export function createAccept({ config, quotas }: JobNeeds): Accept {
  return (payer, row, claimed, made) => {
    const { pendingJobs } = config.plans[payer.plan]
    const { capacity } = config.queue
    // The charge locks the payer's row of the quota, so two conversions in one lane are never counted at the same time.
    return quotas.charge(payer, { bytes: row.source_size, claimed, at: row.created_at }, async (transaction) => {
      const exceeded = await admitConversion(transaction, row, { pendingJobs, capacity })
      if (exceeded?.limit === 'pendingJobs') throw ownQueueFull(exceeded.max, isNetwork(row.lane))
      if (exceeded)
        throw new ServiceError('QUEUE_FULL_GLOBAL', 'The queue is full; try again later', { retryAfter: 15 })
      if (row.batch) await countAccepted(transaction, row.batch)
      await made?.(transaction, row.id)
    })
  }
}

/** @param max Maximum number of pending conversions. @param shared Whether those of a network share it. */
const ownQueueFull = (max: number, shared: boolean) =>
  new ServiceError(
    'QUEUE_FULL_USER',
    shared
      ? `Your network has ${max} pending conversions, the limit of its guests and unverified accounts; wait for one to end`
      : `You have ${max} pending conversions, which is the limit of your plan; wait for one to end`,
    { retryAfter: 5 },
  )
