import type { Engine } from '../contract.ts'
import type { WarmProcess } from './warm-process.ts'

export interface WarmPoolOptions {
  /** Booted processes to keep for each engine, without an owner. */
  spares: number
  /** Whether a process also serves its owner's next jobs. */
  reuse: boolean
  /** Milliseconds that a process waits for its owner's next job. */
  idle: number
  /** Limit of spare and waiting processes in the pool. Processes at work do not count. */
  most: number
  /** Starts a process in a folder of its own. */
  start(engine: Engine): Promise<WarmProcess>
  /** Discards the folder of a process that has ended. */
  discard(folder: string): Promise<void>
  /** Called when an engine's processes repeatedly fail to boot. */
  failed(engine: Engine): void
}

/** Warm processes: unused spares, and those that wait for their owner's next job. */
export interface WarmPool {
  /** Keeps spares of an engine from now on. */
  keep(engine: Engine): void
  /** Returns a ready process for one job of `owner`, of the first of `engines` that has one. Never waits. */
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
const BACKOFF = { first: 500, most: 60_000 }

/** Makes the pool. A process serves only one owner, from its first job to its end. */
export function createWarmPool({ spares, reuse, idle, most, ...host }: WarmPoolOptions): WarmPool {
  const ready = new Map<Engine, WarmProcess[]>()
  const booting = new Map<Engine, number>()
  const failures = new Map<Engine, number>()
  /** The longest waiting first. */
  const waiting = new Map<WarmProcess, { owner: string; timer: NodeJS.Timeout }>()
  const served = new Map<WarmProcess, number>()
  const endings = new Set<Promise<void>>()
  /** Starts in progress, and their processes that have not booted yet. */
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
      .catch(() => {}) // the next start sweeps the folder
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

  /** Ends the longest-waiting processes until the pool is within its limit. Returns whether it is then. */
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

  /** Replaces a spare that ended by itself or did not boot, with exponential backoff. */
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
