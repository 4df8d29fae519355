import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { claimDatabase, UNTIL_STARTED } from '../database/claim.ts'
import { cannotUse, type Database, openDatabase } from '../database/database.ts'
import { StartError } from '../errors.ts'
import { type Bus, createBus } from '../events/bus.ts'
import { nodeWorkersOf } from '../jobs/queue/workers.ts'
import { memoryOfMachine } from '../sandbox/limits/memory-left.ts'
import { requireAgreement, secretDigest } from './agree.ts'
import { joinNodes, type NodeMembership } from './membership.ts'
import { openRedis, type RedisPlace } from './redis.ts'

/** What connects this node to the others. */
export interface Cluster {
  membership: NodeMembership
  redis: RedisPlace
  bus: Bus
}

/**
 * Opens the database that several nodes share, and joins them. Nodes start one after another, so that one migrates the
 * schema and the others wait.
 *
 * @param undo Releases everything when the service stops.
 * @throws ServerAway if a server does not answer, StartError if this node cannot work together with the others.
 */
export async function joinCluster(
  config: Config,
  log: Logger,
  undo: AsyncDisposableStack,
): Promise<{ database: Database; cluster: Cluster }> {
  const { databaseUrl: url, redisUrl, jwtSecret: secret, dataDir, version, role } = config
  if (!url || !redisUrl || !secret) throw new StartError('REDIS_URL needs DATABASE_URL and JWT_SECRET.')
  const redis = undo.use(await openRedis(redisUrl, secret, log))
  await using _claim = await claimDatabase(url, log, () => {}, UNTIL_STARTED)
  const database = await openDatabase(
    { url, dataDir },
    (opened, schema) => requireAgreement(opened, schema, secret),
    log,
  )
  undo.defer(() => database.destroy())
  const { light, heavy } = nodeWorkersOf(config, memoryOfMachine())
  const facts = { version, role, secret: secretDigest(secret), light_workers: light, heavy_workers: heavy }
  const membership = await joinNodes(url, facts, log).catch((cause) => {
    throw cannotUse(cause, 'DATABASE_URL')
  })
  undo.defer(() => membership.leave())
  const { prefix } = redis
  const bus = await createBus({ redis: redis.redis, listener: redis.another(), prefix, node: membership.id, log })
  membership.onGone(bus.noteMissed)
  log.info({ node: membership.id }, 'joined the nodes of this database')
  return { database, cluster: { membership, redis, bus } }
}
