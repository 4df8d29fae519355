import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { countQueuedByKind, listBacklog } from '../database/tables/backlog.ts'
import { findConversion, PENDING } from '../database/tables/conversions.ts'
import { createVerify } from '../detection/recognise.ts'
import { memoryOfMachine } from '../sandbox/limits/memory-left.ts'
import { createBatches } from './batches.ts'
import { createChronicle } from './chronicle.ts'
import { type ConversionRecords, createConversionRecords } from './conversions.ts'
import { createConverter } from './converter.ts'
import { createDownloads, type Downloadable } from './downloads.ts'
import { createCancel, createEnd } from './end.ts'
import type { JobNeeds } from './needs.ts'
import type { SharedQueue } from './queue/bullmq.ts'
import { type Runner, scheduled } from './queue/job.ts'
import { type Backlog, SINGLE_NODE } from './queue/promotion.ts'
import { createScheduler } from './queue/scheduler.ts'
import { workersOf } from './queue/workers.ts'
import { createRunner } from './runner.ts'
import { createAccept, createStart, type Start } from './start.ts'

/** Conversions from the request to the download. */
export type Conversions = ConversionRecords & {
  start: Start
  downloadable: (idOrKey: string) => Promise<Downloadable | undefined>
}

/** Creates the queue of several nodes, and names this node. */
interface Shared {
  node: string
  createQueue: (run: Runner, backlog: Backlog) => SharedQueue
}

/**
 * Creates the parts of this room, with the queue that they work with.
 *
 * @param shared Undefined: this service is the only one.
 */
export function createJobs(kernel: JobNeeds, shared?: Shared) {
  const { config, database, recognise, changes } = kernel
  const { catalogue, probes, options } = kernel.loaded
  const end = createEnd(kernel)
  // The content of a result must match the target format, even if the engine reported success.
  const verify = createVerify(recognise, catalogue)
  const converter = createConverter({ catalogue, probes, sandboxes: kernel.sandboxes, options, verify })
  const chronicle = createChronicle(kernel)
  const run = createRunner(kernel, { converter, end, chronicle, node: shared?.node ?? null })
  const queue = shared?.createQueue(run, createBacklog(config, database))
  const scheduler =
    queue ??
    createScheduler({
      run,
      workers: workersOf(config, memoryOfMachine()),
      onMoved(jobs) {
        for (const { id, owner, batch } of jobs) changes.publish({ owner, conversion: id, batch, progress: true })
      },
    })
  const cancel = createCancel(database, end, scheduler)
  const start = createStart(kernel, createAccept(kernel), scheduler)
  const records = createConversionRecords(kernel, cancel)
  const conversions: Conversions = { ...records, start, downloadable: createDownloads(kernel) }
  const batches = createBatches(kernel, start)
  async function cancelForOperator(id: string): Promise<void> {
    const row = await findConversion(database, id)
    if (row) await cancel(row, PENDING, 'The conversion was cancelled by an administrator')
  }
  return { scheduler, queue, end, conversions, batches, cancelForOperator }
}

/** The pending conversions in the database, as the queue of several nodes reads them. */
export const createBacklog = (config: Config, database: Database): Backlog => ({
  async list(max, lane) {
    const rows = await listBacklog(database, max, lane)
    return rows.map((row) => {
      const running = row.status === 'processing'
      // The running attempt counts already.
      const job = scheduled({ ...row, attempts: row.attempts - Number(running) }, config)
      return {
        job,
        fence: row.fence,
        node: running ? (row.node ?? SINGLE_NODE) : null,
        pair: `${row.from_format}>${row.to_format}`,
      }
    })
  },
  count: () => countQueuedByKind(database),
})
