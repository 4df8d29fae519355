import type { Engine } from '../contract.ts'
import type { WarmProcess } from './warm-process.ts'

export interface WarmPoolOptions {
  /** Processes of each engine kept booted without an owner. */
  spares: number
  /** Whether a process serves its owner's next jobs too. */
  reuse: boolean
  /** Milliseconds that a process waits for its owner's next job. */
  idle: number
  /** Bound of all processes in the pool's hands; those at work are not ended for it. */
  most: number
  /** Starts a process in a folder of its own. */
  start(engine: Engine): Promise<WarmProcess>
  /** Takes the folder of a process that has ended. */
  discard(folder: string): Promise<void>
  /** Hears of an engine whose processes do not boot. */
  failed(engine: Engine): void
}

/** Warm processes: spares that nobody has used, and those that wait for their owner's next job. */
export interface WarmPool {
  /** Keeps spares of an engine from now on. */
  keep(engine: Engine): void
  /** A process for one job of `owner`, for the first of the engines that has one. Costs nothing. */
  take(owner: string, engines: readonly Engine[]): WarmProcess | undefined
  /** Takes a process back after a job of `owner`, with its folder empty; keeps or retires it. */
  give(owner: string, process: WarmProcess): void
  /** Ends processes that share a folder, and discards it. Resolves when they have ended. */
  retire(processes: readonly WarmProcess[]): Promise<void>
  /** How many processes of each engine there are that do not work. */
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

const REPLACE = 20 // milliseconds after a spare was handed out, so that its job has the machine first
const BACKOFF = { first: 500, most: 60_000 }

/** A process serves one owner only, from its first job to its end. */
export function createWarmPool({ spares, reuse, idle, most, ...host }: WarmPoolOptions): WarmPool {
  const ready = new Map<Engine, WarmProcess[]>()
  const booting = new Map<Engine, number>()
  const failures = new Map<Engine, number>()
  /** In the order in which they began to wait. */
  const waiting = new Map<WarmProcess, { owner: string; timer: NodeJS.Timeout }>()
  const served = new Map<WarmProcess, number>()
  const endings = new Set<Promise<void>>()
  /** Starts under way, and those of their processes that have not booted. */
  const boots = new Set<Promise<void>>()
  const starting = new Set<WarmProcess>()
  let closed = false

  return { keep, take, give, retire, count, close }

  function keep(engine: Engine) {
    ready.set(engine, [])
    replenish(engine)
  }

  function take(owner: string, engines: readonly Engine[]): WarmProcess | undefined {
    for (const engine of engines) {
      for (const [process, { owner: whose, timer }] of waiting) {
        if (whose !== owner || process.engine !== engine || !process.alive) continue
        clearTimeout(timer)
        waiting.delete(process)
        return process
      }
      const spare = ready.get(engine)?.shift()
      if (!spare) continue
      setTimeout(replenish, REPLACE, engine).unref()
      return spare
    }
    return undefined
  }

  function give(owner: string, process: WarmProcess) {
    const jobs = (served.get(process) ?? 0) + 1
    if (closed || !reuse || !process.alive || jobs >= process.engine.warm!.jobs) return void retire([process])
    served.set(process, jobs)
    waiting.set(process, { owner, timer: setTimeout(() => retire([process]), idle).unref() })
    void process.gone.then(() => {
      if (waiting.has(process)) void retire([process])
    })
    makeRoom()
  }

  function retire(processes: readonly WarmProcess[]): Promise<void> {
    for (const process of processes) {
      clearTimeout(waiting.get(process)?.timer)
      waiting.delete(process)
      served.delete(process)
      process.kill()
    }
    const ending = Promise.all(processes.map(({ gone }) => gone))
      .then(() => host.discard(processes[0]!.folder))
      .catch(() => {}) // swept at the next start
    endings.add(ending)
    void ending.then(() => endings.delete(ending))
    return ending
  }

  function count(): WarmCount[] {
    return [...ready].map(([engine, own]) => ({
      engine: engine.name,
      booting: booting.get(engine) ?? 0,
      ready: own.length,
      kept: [...waiting.keys()].filter((process) => process.engine === engine).length,
    }))
  }

  /** Ends those that have waited longest until the pool is within its bound. Whether it is, then. */
  function makeRoom(): boolean {
    const spare = () => [...ready.values()].flat().length + [...booting.values()].reduce((sum, of) => sum + of, 0)
    const count = () => waiting.size + spare()
    while (count() > most && waiting.size) void retire([waiting.keys().next().value!])
    return count() <= most
  }

  function replenish(engine: Engine) {
    const own = ready.get(engine)!
    for (let count = own.length + (booting.get(engine) ?? 0); count < spares && !closed && makeRoom(); count++) {
      booting.set(engine, (booting.get(engine) ?? 0) + 1)
      const boot = bootSpare(engine, own).finally(() => {
        booting.set(engine, booting.get(engine)! - 1)
        boots.delete(boot)
      })
      boots.add(boot)
    }
  }

  async function bootSpare(engine: Engine, own: WarmProcess[]) {
    const process = await host.start(engine).catch(() => undefined)
    if (process && closed) return void retire([process])
    if (process) starting.add(process)
    const booted = (await process?.ready) ?? false
    if (process) starting.delete(process)
    if (booted && !closed) {
      failures.delete(engine)
      own.push(process!)
      void process!.gone.then(() => {
        const index = own.indexOf(process!)
        if (index < 0) return
        own.splice(index, 1)
        void retire([process!])
        again(engine)
      })
      return
    }
    if (process) void retire([process])
    if (!closed) again(engine)
  }

  /** Replaces a spare that ended by itself, ever more slowly. */
  function again(engine: Engine) {
    const count = (failures.get(engine) ?? 0) + 1
    failures.set(engine, count)
    if (count === 3) host.failed(engine)
    setTimeout(replenish, Math.min(BACKOFF.first * 2 ** count, BACKOFF.most), engine).unref()
  }

  async function close() {
    closed = true
    for (const process of starting) process.kill()
    await Promise.all(boots)
    for (const process of [...waiting.keys(), ...[...ready.values()].flat()]) void retire([process])
    for (const own of ready.values()) own.length = 0
    await Promise.all(endings)
  }
}
