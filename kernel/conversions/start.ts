import type { Config } from '../../config/config.ts'
import type { Owner } from '../accounts/owner.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { StoredBytes } from '../accounts/stored-bytes.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { Intent } from '../contract.ts'
import { newId } from '../database/ids.ts'
import { countAccepted } from '../database/tables/batches.ts'
import { type ConversionRow, insertConversion, type NewConversion } from '../database/tables/conversions.ts'
import type { Recognise } from '../detection/recognise.ts'
import { ServiceError, storageFull } from '../errors.ts'
import { callHook } from '../hooks.ts'
import type { Reservation, ScheduledJob, Scheduler } from '../queue/scheduler.ts'
import type { Storage } from '../storage/storage.ts'
import { displayName, extensionOf, stemOf } from '../uploads/display-name.ts'

import type { Files } from '../uploads/files.ts'
import type { StoredFile } from '../uploads/stored-file.ts'

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

/** What a client learns of an accepted conversion. */
export interface Started {
  conversionId: string
  /** Whether it waits. */
  queued: boolean
  /** Conversions that wait. */
  queueDepth: number
}

/** Judges a request from its file on, in the contract's order, charges and records it. @throws ServiceError. */
export type Start = (owner: Owner, request: StartRequest, batch?: string) => Promise<Started>

export function createStart({
  config,
  storage,
  files,
  quotas,
  storedBytes,
  scheduler,
  recognise,
  loaded: { catalogue, options },
}: {
  config: Config
  storage: Storage
  files: Files
  quotas: Quotas
  storedBytes: StoredBytes
  scheduler: Scheduler
  recognise: Recognise
  loaded: LoadedCatalogue
}): Start {
  /**
   * The format that `fileName` claims, if detection agrees when it looks at the file under that name: so where a
   * signature speaks it decides, and where none does the name counts as it does at an upload.
   */
  async function formatNamed(file: StoredFile, fileName = ''): Promise<string | undefined> {
    const name = displayName(fileName)
    const claimed = catalogue.canonical(extensionOf(name))
    if (!claimed || claimed === file.format) return undefined
    await using stored = await storage.checkOut(file.key)
    const seen = await recognise(stored.path, name)
    return seen && 'extension' in seen && seen.extension === claimed ? claimed : undefined
  }

  return async function start(owner, request, batch) {
    // A member's file, converted for the team.
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
    const source = catalogue.known.get(file.format)!
    const name = stemOf(displayName(request.fileName ?? file.name), [
      ...[pair.from, source.extension, ...(source.aliases ?? [])],
    ])
    const heavy =
      callHook({ plugin: pair.plugin.category, hook: 'heavy' }, () =>
        pair.plugin.heavy?.({ from: pair.from, to: pair.to, intent, size: file.size, options: complete }),
      ) ?? false
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
      name,
      heavy: heavy ? 1 : 0,
      attempts: 0,
      fence: 0,
      created_at: Date.now(),
      charged_to: payer.chargeTo.join(' '),
      batch: batch ?? null,
    }
    await storedBytes.requireRoom(payer)
    let reservation: Reservation | undefined
    try {
      await quotas.charge(payer, { bytes: file.size, claimed, at: row.created_at }, function* () {
        // The quota is judged before the queue; the place is given back if the work has to be run again.
        reservation?.release()
        reservation = scheduler.reserve(laneOf(row), plan.pendingJobs)
        yield insertConversion(row)
        if (batch) yield countAccepted(batch)
      })
    } catch (error) {
      reservation?.release()
      throw error
    }
    const { queued, depth } = await scheduler.enqueue(scheduled(row, config), reservation)
    return { conversionId: row.id, queued, queueDepth: depth }
  }
}

/** In whose lane a conversion waits: a team has that of its owner, or teams would multiply what a plan allows. */
const laneOf = ({ owner, charged_to }: Pick<ConversionRow, 'owner' | 'charged_to'>) =>
  owner.startsWith('team_') && charged_to ? charged_to : owner

/** What the scheduler needs of a recorded conversion. */
export function scheduled(
  row: Pick<ConversionRow, 'id' | 'owner' | 'plan' | 'heavy' | 'charged_to' | 'attempts'>,
  config: Config,
): ScheduledJob {
  const heavy = Boolean(row.heavy)
  return {
    id: row.id,
    owner: laneOf(row),
    heavy,
    heavyConcurrency: config.plans[row.plan].heavyConcurrency,
    timeout: config.timeouts[heavy ? 'heavy' : 'light'],
    suspect: row.attempts > 0,
  }
}
