import type { Config, PlanName } from '../../config/config.ts'
import type { Owner } from '../accounts/owner.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { Intent } from '../contract.ts'
import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import type { Files } from './files.ts'
import { displayName, newId, stemOf } from './names.ts'
import type { ConversionRow } from './records.ts'
import type { ScheduledJob, Scheduler } from './scheduler.ts'

/** The body of `POST /api/conversions`; its types were checked before. */
export interface StartRequest {
  fileId: string
  toFormat: string
  fromFormat?: string
  fileName?: string
  fileSize?: number
  jobIntent?: Intent
  options?: Record<string, unknown>
}

/** Judges a request from its file on, in the contract's order, and records it. @throws ServiceError. */
export type Start = (
  owner: Owner,
  request: StartRequest,
) => Promise<{ conversionId: string; queued: boolean; queueDepth: number }>

export function createStart({
  config,
  database,
  storage,
  files,
  scheduler,
  loaded: { catalogue, options },
}: {
  config: Config
  database: Database
  storage: Storage
  files: Files
  scheduler: Scheduler
  loaded: LoadedCatalogue
}): Start {
  return async function start(owner, request) {
    const plan = config.plans[owner.plan]
    const intent = request.jobIntent ?? 'convert'
    const file = await files.find(owner, request.fileId)
    const pair = catalogue.find(request.fromFormat ?? file.format, request.toFormat, intent)
    const given = request.options ?? {}
    options.check(pair.plugin, pair.to, given)
    const size = Math.max(file.size, request.fileSize ?? 0)
    if (plan.maxFileSize !== null && size > plan.maxFileSize) {
      const limit = `${plan.maxFileSize / 1e6} MB`
      throw new ServiceError('FILE_TOO_LARGE', `fileSize: the file is larger than the ${limit} that your plan allows`)
    }
    const reservation = scheduler.reserve(owner.id, plan.pendingJobs)
    try {
      if (!(await storage.hasRoom())) {
        throw new ServiceError('STORAGE_FULL', 'The storage is full; try again later', { retryAfter: 60 })
      }
      const complete = options.complete(pair.plugin, pair.to, intent, given)
      const source = catalogue.known.get(file.format)!
      const name = stemOf(displayName(request.fileName ?? file.name), [
        ...[pair.from, source.extension, ...(source.aliases ?? [])],
      ])
      const heavy =
        pair.plugin.heavy?.({ from: pair.from, to: pair.to, intent, size: file.size, options: complete }) ?? false
      const id = newId('conv_')
      await database<ConversionRow>('conversions').insert({
        id,
        owner: owner.id,
        plan: owner.plan,
        status: 'queued',
        progress: 0,
        category: pair.plugin.category,
        from_format: pair.from,
        to_format: pair.to,
        intent,
        options: JSON.stringify(given),
        source_key: file.key,
        source_size: file.size,
        name,
        heavy,
        attempts: 0,
        created_at: Date.now(),
      } as ConversionRow)
      const { queued, depth } = await scheduler.enqueue(
        scheduled({ id, owner: owner.id, heavy, plan: owner.plan }, config),
        reservation,
      )
      return { conversionId: id, queued, queueDepth: depth }
    } catch (error) {
      reservation.release()
      throw error
    }
  }
}

/** What the scheduler needs of a recorded conversion. */
export function scheduled(
  row: { id: string; owner: string; heavy: boolean | number; plan: PlanName },
  config: Config,
): ScheduledJob {
  const heavy = Boolean(row.heavy)
  return {
    id: row.id,
    owner: row.owner,
    heavy,
    heavyConcurrency: config.plans[row.plan].heavyConcurrency,
    timeout: config.timeouts[heavy ? 'heavy' : 'light'],
  }
}
