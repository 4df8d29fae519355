import { availableParallelism } from 'node:os'
import type { Config } from '../../../config/config.ts'
import type { KindCounts } from '../../database/tables/nodes.ts'

/** Bytes of memory for each job, and for each heavy one: by default there are no more than fit. */
const EACH = 256 * 1024 ** 2
const EACH_HEAVY = 1024 ** 3

/**
 * Returns how many jobs this machine runs at the same time, and how many heavy ones among them.
 *
 * @param memory bytes that the service and its engines may use
 */
export function workersOf(
  { queue }: Pick<Config, 'queue'>,
  memory: number,
  cores: number = availableParallelism(),
): { all: number; heavy: number } {
  const fit = (each: number, min: number) => Math.max(min, Math.floor(memory / each))
  return {
    all: queue.workers ?? Math.min(cores * 2, fit(EACH, 2)),
    heavy: queue.heavyWorkers ?? Math.min(Math.max(1, Math.floor(cores / 2)), fit(EACH_HEAVY, 1)),
  }
}

/** The same for a node among others, whose light and heavy jobs are delivered separately. */
export function nodeWorkersOf(config: Pick<Config, 'queue' | 'role'>, memory: number): KindCounts {
  if (config.role === 'api') return { light: 0, heavy: 0 }
  const { all, heavy } = workersOf(config, memory)
  return { light: Math.max(1, all - heavy), heavy }
}
