import { availableParallelism } from 'node:os'
import type { Engine } from '../contract.ts'
import { createDemand, type Demand, measureSpare } from './demand.ts'
import { createIdle } from './idle.ts'
import { createRehearsals } from './rehearsal.ts'
import type { WarmPool, WarmPoolOptions } from './warm-options.ts'
import type { WarmProcess } from './warm-process.ts'

const REPLACE = 20 // milliseconds before a used spare is replaced, so that its job has the machine first
/** Spares that boot at the same time if nobody waits for them: one core stays free for the first jobs. */
const STARTS = Math.max(1, availableParallelism() - 1)
const BALANCE = 5000 // milliseconds between two looks at what is wanted
const BACKOFF = { first: 500, most: 60_000 }

/** Makes the pool. A process serves only one owner, from its first job to its end. */
export function createWarmPool({ memory, spares, workers, reuse, idle, ...host }: WarmPoolOptions): WarmPool {
  const demands = new Map<Engine, Demand>()
  const failures = new Map<Engine, number>()
  const served = new Map<WarmProcess, number>()
  const endings = new Set<Promise<void>>()
  /** Starts in progress. */
  const boots = new Set<Promise<void>>()
  /** Engines whose next spare nobody waits for. They start one after another while no job runs. */
  const patient = new Set<Engine>()
  /** Starts whose process is not in the pool yet. */
  const unborn = new Map<Engine, number>()
  const pool = createIdle({ memory, workers, demands, left: host.left, retire: (process) => void retire([process]) })
  const timer = setInterval(balance, BALANCE).unref()
  const rehearse = createRehearsals(host)
  let closed = false

  return {
    keep,
    take,
    give,
    resume,
    retire,
    close,
    count: () => [...demands.keys()].map((engine) => ({ engine: engine.name, ...pool.count(engine) })),
  }

  function keep(engine: Engine) {
    demands.set(engine, createDemand(engine.warm!.memory))
    patient.add(engine)
    resume()
  }

  function resume() {
    if (boots.size < STARTS && !host.working()) startPatient()
  }

  /** Starts one spare of the engine that waits longest and lacks one. Others follow when it has booted. */
  function startPatient() {
    for (const engine of patient) if (patient.delete(engine) && startSpare(engine)) return resume()
  }

  function take(owner: string, engines: readonly Engine[]): WarmProcess | undefined {
    for (const engine of engines) {
      const demand = demands.get(engine)
      demand?.used.note()
      const own = pool.take((entry) => entry.engine === engine && entry.owner === owner)
      if (own) return own
      demand?.fresh.note()
      const isSpare = (entry: { engine: Engine; owner: string | undefined }) =>
        entry.engine === engine && entry.owner === undefined
      const ready = pool.take((entry) => isSpare(entry) && !entry.booting)
      const spare = ready ?? pool.take(isSpare)
      // A job without a spare starts a process itself. Unless many come, a spare beside it would only slow it down.
      if (demand && (spare || demand.wanted() > 0)) setTimeout(replenish, REPLACE, engine).unref()
      else if (demand) patient.add(engine)
      if (!spare) continue
      if (!ready) host.hurry(spare)
      return spare
    }
    return undefined
  }

  function give(owner: string, process: WarmProcess) {
    const jobs = (served.get(process) ?? 0) + 1
    if (closed || !reuse || !process.alive || jobs >= process.engine.warm!.jobs) return void retire([process])
    served.set(process, jobs)
    const entry = pool.add(process, demands.get(process.engine)?.size() ?? 0, owner)
    void process.gone.then(() => {
      if (pool.has(entry)) void retire([process])
    })
    const size = demands.get(process.engine)?.sizeWith(host.resident(process)) ?? host.measure(process)
    void Promise.resolve(size).then((bytes) => {
      entry.bytes = bytes
      if (pool.has(entry)) pool.makeRoom(0, process.engine, process)
    })
  }

  function retire(processes: readonly WarmProcess[]): Promise<void> {
    for (const process of processes) {
      pool.remove(process)
      served.delete(process)
      process.kill()
    }
    const ending = Promise.all(processes.map(({ gone }) => gone))
      .then(() => host.discard(processes[0]!.folder))
      .catch(() => {}) // the next start sweeps the folder
    endings.add(ending)
    void ending.then(() => endings.delete(ending))
    return ending
  }

  function balance() {
    const now = performance.now()
    pool.retireWhere(({ owner, since }) => owner !== undefined && now - since >= idle)
    for (const engine of demands.keys()) pool.shrink(engine, most(engine), idle)
    for (const engine of pool.mostUsed()) if (!patient.has(engine)) replenish(engine)
    // Also if there are always jobs, each engine gets its spare in the end.
    startPatient()
  }

  /** How many spares of an engine to have. */
  function most(engine: Engine): number {
    return spares === 0 ? 0 : Math.max(spares, Math.min(demands.get(engine)!.wanted(), workers))
  }

  function replenish(engine: Engine) {
    while (startSpare(engine));
  }

  /** Starts a spare if the engine lacks one and there is room for it. Returns whether it did. */
  function startSpare(engine: Engine): boolean {
    const { booting, ready } = pool.count(engine)
    if (closed || booting + ready + (unborn.get(engine) ?? 0) >= most(engine)) return false
    const sizeOf = (one: Engine) => demands.get(one)!.size()
    const room = [...unborn].reduce((bytes, [one, count]) => bytes + count * sizeOf(one), sizeOf(engine))
    if (!pool.makeRoom(room, engine)) return false
    unborn.set(engine, (unborn.get(engine) ?? 0) + 1)
    const boot = bootSpare(engine).finally(() => {
      boots.delete(boot)
      resume()
    })
    boots.add(boot)
    return true
  }

  async function bootSpare(engine: Engine) {
    const began = performance.now()
    const process = await host.start(engine).catch(() => undefined)
    unborn.set(engine, unborn.get(engine)! - 1)
    if (process && closed) return void retire([process])
    const demand = demands.get(engine)!
    const entry = process && pool.add(process, demand.size(), undefined, true)
    if (entry) host.slow(process, () => entry.booting && pool.has(entry))
    const booted = (await process?.ready) ?? false
    if (booted) demand.booted(performance.now() - began)
    if (booted && process && entry) await rehearse(process, () => pool.has(entry))
    if (booted && process?.alive && entry) {
      failures.delete(engine)
      patient.add(engine)
      entry.booting = false
      // Also one that a job took while it booted: it may have started others just then, with its old priority.
      host.hurry(process)
      await measureSpare(demand, host, process, () => pool.has(entry))
      entry.bytes = demand.size()
      void process.gone.then(() => {
        if (!pool.has(entry)) return
        void retire([process])
        again(engine)
      })
      return
    }
    // A job that took it meanwhile reports its end, and may have caused it.
    if (process && !pool.remove(process)) return
    if (process) void retire([process])
    if (!closed) again(engine)
  }

  /** Replaces a spare that ended by itself or did not boot, with exponential backoff. */
  function again(engine: Engine) {
    const count = (failures.get(engine) ?? 0) + 1
    failures.set(engine, count)
    if (count === 3) host.failed(engine)
    setTimeout(replenish, Math.min(BACKOFF.first * 2 ** count, BACKOFF.most), engine).unref()
  }

  async function close() {
    closed = true
    clearInterval(timer)
    pool.retireWhere(() => true)
    await Promise.all(boots)
    await Promise.all(endings)
  }
}
