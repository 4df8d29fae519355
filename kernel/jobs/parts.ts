import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { Database } from '../database/database.ts'
import { findConversion, PENDING } from '../database/tables/conversions.ts'
import { createVerify, type Recognise } from '../detection/recognise.ts'
import type { Changes } from '../events/changes.ts'
import type { ConversionEvents } from '../events/events.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { Files } from '../files/uploads/files.ts'
import type { Quotas } from '../people/quotas.ts'
import type { StoredBytes } from '../people/stored-bytes.ts'
import type { Teams } from '../people/teams.ts'
import { memoryOfMachine } from '../sandbox/limits/memory-left.ts'
import type { Sandboxes } from '../sandbox/sandbox.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { createAccept } from './acceptance.ts'
import { createBacklog } from './backlog.ts'
import { createBatches } from './batches.ts'
import { createCancel } from './cancel.ts'
import { createChronicle } from './chronicle.ts'
import { type ConversionRecords, createConversionRecords } from './conversions.ts'
import { createConverter } from './converter.ts'
import { createDownloads, type Downloadable } from './downloads.ts'
import { createEnd } from './end.ts'
import type { SharedQueue } from './queue/bullmq.ts'
import type { Runner } from './queue/job.ts'
import { createOwnQueue } from './queue/open.ts'
import type { Backlog } from './queue/promotion.ts'
import { createRunner } from './runner.ts'
import { createStart, type Start } from './start.ts'

/** Conversions from the request to the download. */
export type Conversions = ConversionRecords & {
  start: Start
  downloadable: (idOrKey: string) => Promise<Downloadable | undefined>
}

/** What the parts of this room need. */
interface KernelParts {
  config: Config
  log: Logger
  database: Database
  storage: Storage
  sandboxes: Sandboxes
  files: Files
  recognise: Recognise
  /** What this service can convert. */
  loaded: LoadedCatalogue
  /** What it offers: what all nodes can convert. */
  offered: LoadedCatalogue
  teams: Teams
  quotas: Quotas
  storedBytes: StoredBytes
  events: ConversionEvents
  changes: Changes
  tracing: Tracing
  /** Aborts when the service stops. */
  stopping: AbortSignal
  /** Aborts when it then runs no conversion any more. */
  drained: AbortSignal
  /** Creates the queue of several nodes, and names this node; undefined: this service is the only one. */
  shared?: { node: string; createQueue: (run: Runner, backlog: Backlog) => SharedQueue } | undefined
}

/** Creates the parts of this room, with the queue that they work with. */
export function createConversionParts(kernelParts: KernelParts) {
  const { config, log, database, storage, files, recognise, loaded, offered } = kernelParts
  const { teams, quotas, storedBytes, events, changes } = kernelParts
  const { catalogue, probes, options } = loaded
  const end = createEnd({ config, database, quotas, storedBytes, events, changes })
  const chronicle = createChronicle({ events, tracing: kernelParts.tracing, log })
  // The content of a result must match the target format, even if the engine reported success.
  const verify = createVerify(recognise, catalogue)
  const converter = createConverter({ catalogue, probes, sandboxes: kernelParts.sandboxes, options, verify })
  const unrecorded = new Set<string>()
  const run = createRunner({
    ...kernelParts,
    converter,
    end,
    chronicle,
    unrecorded,
    node: kernelParts.shared?.node ?? null,
  })
  const queue = kernelParts.shared?.createQueue(run, createBacklog(config, database))
  const scheduler =
    queue ??
    createOwnQueue(config, memoryOfMachine(), run, (jobs) => {
      for (const { id, shownTo, batch } of jobs)
        changes.publish({ owner: shownTo, conversion: id, batch, progress: true })
    })
  const cancel = createCancel({ database, end, scheduler })
  const records = createConversionRecords({ ...kernelParts, cancel })
  const accept = createAccept({ config, quotas })
  const start = createStart({
    config,
    storage,
    files,
    accept,
    storedBytes,
    scheduler,
    recognise,
    offered,
    changes,
  })
  const conversions: Conversions = { ...records, start, downloadable: createDownloads({ database, files }) }
  const batches = createBatches({ config, database, start, teams, changes })
  async function cancelForOperator(id: string): Promise<void> {
    const row = await findConversion(database, id)
    if (row) await cancel(row, PENDING, 'The conversion was cancelled by an administrator')
  }
  return { scheduler, queue, unrecorded, end, conversions, batches, cancelForOperator }
}
