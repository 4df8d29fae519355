import { setTimeout as delay } from 'node:timers/promises'
import type { Probe } from './catalogue/probe.ts'
import type { Engine } from './contract.ts'
import { type Database, ping } from './database/database.ts'
import type { Scheduler } from './queue/scheduler.ts'
import type { Storage } from './storage/storage.ts'

export interface HealthReport {
  /** Whether the service can take work. */
  ready: boolean
  parts: Record<string, { ok: boolean; detail?: string }>
}

export type Health = () => Promise<HealthReport>

/** Timeout of a check in milliseconds. */
const PATIENCE = 2000

/** Creates the readiness check. It reports missing engines, but they do not make the service unready. */
export function createHealth({
  database,
  storage,
  scheduler,
  probes,
  settings,
}: {
  database: Database
  storage: Storage
  scheduler: Scheduler
  probes: ReadonlyMap<Engine, Probe>
  settings: { readonly maintenance: boolean }
}): Health {
  const missing = [...probes].filter(([, probe]) => 'missing' in probe).map(([engine]) => engine.name)
  const engines = {
    ok: missing.length === 0,
    detail: missing.length ? `missing: ${missing.join(', ')}` : `${probes.size} found`,
  }
  return async () => {
    const [databaseOk, room] = await Promise.all([answers(ping(database).then(() => true)), answers(storage.hasRoom())])
    const depth = scheduler.depth()
    return {
      ready: databaseOk === true && room === true,
      parts: {
        database: { ok: databaseOk === true },
        storage: { ok: room === true, ...(!room && { detail: room === false ? 'no room' : 'does not answer' }) },
        queue: { ok: true, detail: `${depth} waiting, ${scheduler.running()} processing` },
        engines,
        // Maintenance is intended, so the service stays ready. The HTTP interface itself answers 503.
        maintenance: { ok: !settings.maintenance, detail: settings.maintenance ? 'on' : 'off' },
      },
    }
  }
}

/** Resolves to undefined if the check fails or times out. */
const answers = (part: PromiseLike<boolean>): Promise<boolean | undefined> =>
  Promise.race([part, delay(PATIENCE, undefined, { ref: false })]).catch(() => undefined)
