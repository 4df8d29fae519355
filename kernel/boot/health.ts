import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Probe } from '../catalogue/probe.ts'
import { versionsOf } from '../cluster/agree.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { NodeMembership } from '../cluster/membership.ts'
import type { Engine } from '../contract.ts'
import { type Database, ping } from '../database/database.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { Scheduler } from '../jobs/queue/scheduler.ts'

interface HealthReport {
  /** Whether the service can take work. */
  ready: boolean
  parts: Record<string, { ok: boolean; detail?: string }>
}

export interface Health {
  (): Promise<HealthReport>
  /** From now on, the service is not ready, so that load balancers send no more requests. It goes on as before. */
  leave(): void
}

/** Timeout of a check in milliseconds. */
const CHECK_TIMEOUT_MS = 2000

/** Creates the readiness check. It reports missing engines, but they do not make the service unready. */
export function createHealth({
  config,
  database,
  storage,
  scheduler,
  catalogue,
  probes,
  settings,
  cluster,
}: {
  config: Pick<Config, 'role'>
  database: Database
  storage: Storage
  scheduler: Scheduler
  /** What the service offers. */
  catalogue: Pick<Catalogue, 'tools'>
  probes: ReadonlyMap<Engine, Probe>
  settings: { readonly maintenance: boolean }
  /** What connects this node to the others; undefined: it is the only one. */
  cluster?: Cluster | undefined
}): Health {
  const missing = [...probes].filter(([, probe]) => 'missing' in probe).map(([engine]) => engine.name)
  const ownEngines = {
    ok: missing.length === 0,
    detail: missing.length ? `missing: ${missing.join(', ')}` : `${probes.size} found`,
  }
  /**
   * A node that converts nothing offers what the others can convert. Without any, a load balancer should send it
   * nobody.
   */
  const others = () => {
    // Closed tools are listed without an engine.
    const { length } = catalogue.tools.filter(({ engine }) => engine !== '')
    return { ok: length > 0, detail: `none here; ${length} conversions by others` }
  }
  let leaving = false
  const report = async () => {
    const engines = config.role === 'api' ? others() : ownEngines
    const [databaseOk, room, queueOk = false] = await Promise.all([
      answers(ping(database).then(() => true)),
      answers(storage.hasRoom()),
      cluster ? answers(cluster.redis.ping().then(() => true)) : true,
    ])
    const load = `${scheduler.depth()} waiting, ${scheduler.running()} processing`
    return {
      // On a full disk, downloads, polls and deletions go on, which make room. Uploads and starts are refused there.
      ready: databaseOk === true && room !== undefined && (config.role !== 'api' || engines.ok) && !leaving,
      parts: {
        ...(leaving && { service: { ok: false, detail: 'stopping' } }),
        database: { ok: databaseOk === true },
        storage: {
          ok: room === true,
          ...(!room && { detail: room === false ? 'full; uploads and starts are refused' : 'does not answer' }),
        },
        // Without Redis, the service still accepts conversions, which wait, and ends those that run.
        queue: { ok: queueOk, detail: queueOk ? load : `Redis does not answer; ${load}` },
        ...(cluster && { nodes: describeNodes(cluster.membership) }),
        engines,
        // Maintenance is intended, so the service stays ready. The HTTP interface itself answers 503.
        maintenance: { ok: !settings.maintenance, detail: settings.maintenance ? 'on' : 'off' },
      },
    }
  }
  return Object.assign(report, {
    leave: () => {
      leaving = true
    },
  })
}

/** Anyone may read this, so it names no hosts. */
function describeNodes({ holds, leads, lease, living, workers }: NodeMembership): HealthReport['parts'][string] {
  const { light, heavy } = workers()
  const roles = [...Map.groupBy(living(), ({ role }) => role)].map(([role, { length }]) => `${length} ${role}`)
  const own = holds()
    ? `this one ${leads() ? 'leads, and ' : ''}has a lease for ${Math.floor(lease() / 1000)} s`
    : 'this one has no lease'
  return {
    ok: holds(),
    detail:
      `${living().length} living (${roles.join(', ')}), of version ${versionsOf(living())}; ` +
      `places: ${light} light, ${heavy} heavy; ${own}`,
  }
}

/** Resolves to undefined if the check fails or times out. */
const answers = (part: PromiseLike<boolean>): Promise<boolean | undefined> =>
  Promise.race([part, delay(CHECK_TIMEOUT_MS, undefined, { ref: false })]).catch(() => undefined)
