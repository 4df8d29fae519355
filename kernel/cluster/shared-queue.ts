import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { createSharedQueue } from '../jobs/queue/bullmq.ts'
import type { Runner } from '../jobs/queue/job.ts'
import type { Backlog } from '../jobs/queue/promotion.ts'
import { nodeWorkersOf } from '../jobs/queue/workers.ts'
import { memoryOfMachine } from '../sandbox/limits/memory-left.ts'
import type { Cluster } from './cluster.ts'

/**
 * Connects the queue to the other nodes: what they cancel, and the lease that allows this node to work.
 *
 * @param group The group of this node; undefined: it runs no conversions.
 */
export const sharedQueue = (
  config: Config,
  { membership, bus, redis }: Cluster,
  group: string | undefined,
  log: Logger,
) => ({
  node: membership.id,
  createQueue(run: Runner, backlog: Backlog) {
    const queue = createSharedQueue({
      run,
      backlog,
      membership,
      group,
      log,
      workers: nodeWorkersOf(config, memoryOfMachine()),
      redis: redis.redis,
      another: redis.another,
      prefix: redis.prefix,
      cancelElsewhere: (id, message) => bus.publish({ type: 'cancel', id, message }),
    })
    bus.follow((message) => {
      if (message.type === 'cancel') queue.stop(message.id, message.message)
    })
    membership.onLease((holds) => (holds ? queue.resume() : queue.suspend('The lease of the node has ended')))
    return queue
  },
})
