import type { Engine } from '../../contract.ts'
import { createIdleProcesses, type Idle } from './idle.ts'
import type { WarmProcess } from './warm-process.ts'

/** Settings of the pool of warm processes, and what it needs of the machine. */
export interface WarmPoolOptions {
  /** Maximum bytes of memory of the idle processes together. Processes at work do not count. */
  memory: number
  /** Processes without an owner to keep for each engine. */
  spares: number
  /** Whether a process also serves its owner's next jobs. */
  reuse: boolean
  /** Milliseconds that a process waits for its owner's next job. */
  idle: number
  /** Starts a process in a folder of its own. */
  start(engine: Engine): Promise<WarmProcess>
  /** Resolves to the bytes of memory that a process uses. */
  measure(process: WarmProcess): Promise<number>
  /** Returns the bytes of memory that the machine has left. */
  freeMemory(): number
  /** Cores of the machine. */
  cores: number
  /** Returns how many jobs have a sandbox. */
  jobs(): number
  /** Discards the folder of a process that has ended. */
  discard(folder: string): Promise<void>
  /** Called when an engine's processes repeatedly fail to boot. */
  onBootFailed(engine: Engine): void
}

/** Warm processes: unused spares, and those that wait for their owner's next job. */
export type WarmPool = ReturnType<typeof createWarmPool>

/** Milliseconds between two checks. */
const CHECK_INTERVAL_MS = 5000
/** Milliseconds before a used spare is replaced, so that its job has the machine first. */
const REPLACE_MS = 20
/** First and longest wait in milliseconds after a failed boot. */
const BACKOFF_MS = { first: 1000, max: 60_000 }
/** Failed boots in a row after which the engine is reported. */
const REPORTED_FAILURE = 3

/** Creates the pool. A process serves only one owner, from its first job to its end. */
export function createWarmPool({ memory, spares, reuse, idle, cores, ...host }: WarmPoolOptions) {
  const processes = createIdleProcesses(memory, host.freeMemory, (process) => void retire([process]))
  /** Engines with spares; the one whose last spare started longest ago comes first. */
  const engines: Engine[] = []
  /** Failed boots in a row, and when to try again, by `performance.now()`. */
  const failures = new Map<Engine, { count: number; until: number }>()
  const served = new WeakMap<WarmProcess, number>()
  const boots = new Set<Promise<void>>()
  const endings = new Set<Promise<void>>()
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  let closed = false

  return { keep, take, give, resume, retire, close, count: () => engines.toSorted(byName).map(processes.count) }

  /** Keeps spares of an engine from now on. They start while a core is idle. */
  function keep(engine: Engine) {
    engines.push(engine)
    resume()
  }

  /**
   * Returns a process for one job of `owner`, of the first of `engines` that has one. A spare may still boot: that is
   * sooner than to start another. Never waits.
   */
  function take(owner: string, wanted: readonly Engine[]): WarmProcess | undefined {
    for (const engine of wanted) {
      const found = processes.take(engine, owner)
      if (!found) continue
      if (found.owner === undefined) setTimeout(resume, REPLACE_MS).unref()
      return found.process
    }
    return undefined
  }

  /** Takes a process back after a job of `owner`, and keeps or retires it. Its folder must be empty. */
  function give(owner: string, process: WarmProcess) {
    const jobs = (served.get(process) ?? 0) + 1
    if (closed || !reuse || !process.alive || jobs >= process.engine.warm!.jobs) return void retire([process])
    served.set(process, jobs)
    const kept = processes.add(process.engine, process, owner)
    void process.gone.then(() => processes.has(kept) && processes.end(kept))
    void host.measure(process).then((bytes) => {
      kept.bytes = bytes
      if (processes.has(kept)) processes.fit(kept)
    })
  }

  /** Ends processes that share a folder, then discards the folder. Resolves when both are done. */
  function retire(ended: readonly WarmProcess[]): Promise<void> {
    for (const process of ended) {
      processes.remove(process)
      process.kill()
    }
    const ending = Promise.all(ended.map(({ gone }) => gone))
      .then(() => host.discard(ended[0]!.folder))
      .catch(() => {}) // the next start sweeps the folder
      .finally(() => endings.delete(ending))
    endings.add(ending)
    return ending
  }

  function check() {
    const since = performance.now() - idle
    processes.endWhere((one) => one.owner !== undefined && one.since <= since)
    // Also if no core is ever idle, each engine gets its spare in the end.
    if (boots.size === 0) startSpare()
  }

  /** Starts missing spares if a core is idle. Call it when a job has ended. */
  function resume() {
    // Of several spares that boot at the same time, one core stays free for jobs.
    while (host.jobs() < cores && boots.size < Math.max(1, cores - 1) && startSpare());
  }

  /** Starts a spare of the first engine that lacks one, if there is room. Returns whether it did. */
  function startSpare(): boolean {
    const now = performance.now()
    const lacks = (engine: Engine) => {
      const { booting, ready } = processes.count(engine)
      return booting + ready < spares && now >= (failures.get(engine)?.until ?? 0)
    }
    const engine = closed ? undefined : engines.find((engine) => lacks(engine) && processes.makeRoom(engine))
    if (!engine) return false
    engines.push(...engines.splice(engines.indexOf(engine), 1))
    const boot = bootSpare(processes.add(engine)).finally(() => {
      boots.delete(boot)
      resume()
    })
    boots.add(boot)
    return true
  }

  async function bootSpare(spare: Idle) {
    const process = await host.start(spare.engine).catch(() => undefined)
    if (process && !processes.has(spare)) return void retire([process])
    spare.process = process
    const isReady = (await process?.ready) ?? false
    // If a job has taken it, the job reports its end, and may have caused it.
    if (!processes.has(spare)) return
    if (!process || !isReady) return fail(spare)
    failures.delete(spare.engine)
    spare.booting = false
    void process.gone.then(() => processes.has(spare) && fail(spare))
    const bytes = await host.measure(process)
    // At work it uses more, which says nothing about spares.
    if (processes.has(spare)) spare.bytes = bytes
  }

  /** Ends a spare that did not boot, or that ended by itself. */
  function fail(spare: Idle) {
    processes.end(spare)
    if (closed) return
    const count = (failures.get(spare.engine)?.count ?? 0) + 1
    const wait = Math.min(BACKOFF_MS.first * 2 ** (count - 1), BACKOFF_MS.max)
    failures.set(spare.engine, { count, until: performance.now() + wait })
    if (count === REPORTED_FAILURE) host.onBootFailed(spare.engine)
  }

  async function close() {
    closed = true
    clearInterval(timer)
    processes.endWhere(() => true)
    await Promise.all(boots)
    await Promise.all(endings)
  }
}

const byName = (one: Engine, other: Engine) => one.name.localeCompare(other.name)
