import type { Engine } from '../contract.ts'
import { createDemand, type Demand } from './demand.ts'
import { createIdle } from './idle.ts'
import type { WarmProcess } from './warm-process.ts'

export interface WarmPoolOptions {
  /** Bytes of memory that the spare and waiting processes may use together. Processes at work do not count. */
  memory: number
  /** Booted processes to keep for each engine, without an owner. More are kept while they are used up. */
  spares: number
  /** Maximum of jobs at the same time: more spares of an engine can never be used at once. */
  workers: number
  /** Whether a process also serves its owner's next jobs. */
  reuse: boolean
  /** Milliseconds that a process waits for its owner's next job. */
  idle: number
  /** Starts a process in a folder of its own, with a low priority. */
  start(engine: Engine): Promise<WarmProcess>
  /** Gives a process the usual priority. */
  hurry(process: WarmProcess): void
  /** Resolves to the bytes of memory that a process uses. */
  measure(process: WarmProcess): Promise<number>
  /** Bytes of memory that the machine has left. */
  left(): number
  /** Discards the folder of a process that has ended. */
  discard(folder: string): Promise<void>
  /** Called when an engine's processes repeatedly fail to boot. */
  failed(engine: Engine): void
}

/** Warm processes: unused spares, and those that wait for their owner's next job. */
export interface WarmPool {
  /** Keeps spares of an engine from now on. */
  keep(engine: Engine): void
  /**
   * Returns a process for one job of `owner`, of the first of `engines` that has one. A spare may still boot: that is
   * sooner than to start another. Never waits.
   */
  take(owner: string, engines: readonly Engine[]): WarmProcess | undefined
  /** Takes a process back after a job of `owner`, and keeps or retires it. Its folder must be empty. */
  give(owner: string, process: WarmProcess): void
  /** Ends processes that share a folder, then discards the folder. Resolves when both are done. */
  retire(processes: readonly WarmProcess[]): Promise<void>
  /** Returns how many idle or booting processes each engine has. */
  count(): WarmCount[]
  close(): Promise<void>
}

/** Processes of one engine: spares that boot, spares that are ready, and those kept for their owner's next job. */
export interface WarmCount {
  engine: string
  booting: number
  ready: number
  kept: number
}

const REPLACE = 20 // milliseconds before a used spare is replaced, so that its job has the machine first
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
  /** Starts whose process is not in the pool yet. */
  const unborn = new Map<Engine, number>()
  const pool = createIdle({ memory, workers, demands, left: host.left, retire: (process) => void retire([process]) })
  const timer = setInterval(balance, BALANCE).unref()
  let closed = false

  return {
    ...{ keep, take, give, retire, close },
    count: () => [...demands.keys()].map((engine) => ({ engine: engine.name, ...pool.count(engine) })),
  }

  function keep(engine: Engine) {
    demands.set(engine, createDemand())
    replenish(engine)
  }

  function take(owner: string, engines: readonly Engine[]): WarmProcess | undefined {
    for (const engine of engines) {
      const demand = demands.get(engine)
      demand?.used.note()
      const own = pool.take((entry) => entry.engine === engine && entry.owner === owner)
      if (own) return own
      demand?.fresh.note()
      if (demand) setTimeout(replenish, REPLACE, engine).unref()
      const isSpare = (entry: { engine: Engine; owner: string | undefined }) =>
        entry.engine === engine && entry.owner === undefined
      const spare = pool.take((entry) => isSpare(entry) && !entry.booting)
      if (spare) return spare
      const booting = pool.take(isSpare)
      if (!booting) continue
      host.hurry(booting)
      return booting
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
    void host.measure(process).then((bytes) => {
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
    for (const engine of pool.mostUsed()) replenish(engine)
  }

  /** How many spares of an engine to have. */
  function most(engine: Engine): number {
    return spares === 0 ? 0 : Math.max(spares, Math.min(demands.get(engine)!.wanted(), workers))
  }

  function replenish(engine: Engine) {
    const spare = () => pool.count(engine).booting + pool.count(engine).ready + (unborn.get(engine) ?? 0)
    const sizeOf = (one: Engine) => demands.get(one)!.size()
    const room = () => [...unborn].reduce((bytes, [one, count]) => bytes + count * sizeOf(one), sizeOf(engine))
    while (!closed && spare() < most(engine) && pool.makeRoom(room(), engine)) {
      unborn.set(engine, (unborn.get(engine) ?? 0) + 1)
      const boot = bootSpare(engine).finally(() => boots.delete(boot))
      boots.add(boot)
    }
  }

  async function bootSpare(engine: Engine) {
    const began = performance.now()
    const process = await host.start(engine).catch(() => undefined)
    unborn.set(engine, unborn.get(engine)! - 1)
    if (process && closed) return void retire([process])
    const demand = demands.get(engine)!
    const entry = process && pool.add(process, demand.size(), undefined, true)
    const booted = (await process?.ready) ?? false
    if (booted && process && entry) {
      failures.delete(engine)
      entry.booting = false
      // Also one that a job took while it booted: it may have started others just then, with its old priority.
      host.hurry(process)
      demand.booted(performance.now() - began)
      if (!demand.isKnown()) demand.measured(await host.measure(process))
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
