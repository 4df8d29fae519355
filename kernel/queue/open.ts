import { availableParallelism } from 'node:os'
import type { Config } from '../../config/config.ts'
import type { KindCounts } from '../database/tables/nodes.ts'
import type { Runner, ScheduledJob } from './job.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

/** Returns how many jobs this machine runs at the same time, and how many heavy ones among them. */
export function workersOf({ queue }: Pick<Config, 'queue'>): { all: number; heavy: number } {
  const cores = availableParallelism()
  return { all: queue.workers ?? cores * 2, heavy: queue.heavyWorkers ?? Math.max(1, Math.floor(cores / 2)) }
}

/** The same for a node among others, whose light and heavy jobs are delivered separately. */
export function nodeWorkersOf(config: Pick<Config, 'queue' | 'role'>): KindCounts {
  if (config.role === 'api') return { light: 0, heavy: 0 }
  const { all, heavy } = workersOf(config)
  return { light: Math.max(1, all - heavy), heavy }
}

/** Creates the queue in the process. */
export const createOwnQueue = (
  config: Pick<Config, 'queue'>,
  run: Runner,
  onMoved: (jobs: readonly ScheduledJob[]) => void,
): Scheduler => {
  const { all, heavy } = workersOf(config)
  return createScheduler({ run, workers: all, heavyWorkers: heavy, onMoved })
}
