import type { Engine } from '../contract.ts'
import type { Demand } from './demand.ts'
import type { WarmProcess } from './warm-process.ts'

/** A warm process that does not work. */
interface Idle {
  readonly process: WarmProcess
  readonly engine: Engine
  /** Whose next job it waits for; undefined: a spare. */
  readonly owner: string | undefined
  /** Since when it waits, by `performance.now()`. */
  readonly since: number
  booting: boolean
  /** Memory that it uses. */
  bytes: number
}

/** The warm processes that do not work, the longest waiting first. */
interface IdleProcesses {
  add(process: WarmProcess, bytes: number, owner?: string, booting?: boolean): Idle
  /** Removes the first process that matches and lives, and returns it. */
  take(matches: (idle: Idle) => boolean): WarmProcess | undefined
  /** Removes a process, if it is there. Returns whether it was. */
  remove(process: WarmProcess): boolean
  has(idle: Idle): boolean
  /**
   * Retires processes so that `bytes` more are within the budget, and returns whether they are. For a process that
   * `kept` names, which has just worked, others of recent use may have to go; for a new spare only those of less use.
   * If that would not make enough room, only `kept` is retired; others too if the room is too little without it.
   */
  makeRoom(bytes: number, engine: Engine, kept?: WarmProcess): boolean
  /** Retires spares above `most` that waited for `idle` milliseconds. */
  shrink(engine: Engine, most: number, idle: number): void
  retireWhere(matches: (idle: Idle) => boolean): void
  count(engine: Engine): { booting: number; ready: number; kept: number }
  /** The engines, the most used first. */
  mostUsed(): Engine[]
}

/** Milliseconds after which an owner who has not come back is likely to have no further job. */
const PATIENCE = 5000
/** Bytes of memory that the machine should have left beside idle processes. */
const RESERVE = 256 * 1024 ** 2

export function createIdle({
  memory,
  workers,
  demands,
  left,
  retire,
}: {
  /** Bytes that the processes may use together. */
  memory: number
  workers: number
  demands: ReadonlyMap<Engine, Demand>
  left: () => number
  retire: (process: WarmProcess) => void
}): IdleProcesses {
  const all = new Set<Idle>()
  const used = (engine: Engine) => demands.get(engine)?.used.now() ?? 0

  function count(engine: Engine) {
    const own = [...all].filter((idle) => idle.engine === engine)
    const spares = own.filter(({ owner }) => owner === undefined)
    const booting = spares.filter((idle) => idle.booting).length
    return { booting, ready: spares.length - booting, kept: own.length - spares.length }
  }

  function end(idle: Idle) {
    all.delete(idle)
    retire(idle.process)
  }

  /** The one of `some` that is worth least to have; undefined: all are worth more than the one that needs the room. */
  function leastWorth(some: readonly Idle[], engine: Engine, kept: WarmProcess | undefined): Idle | undefined {
    const waiting = some.filter(({ owner, process }) => owner !== undefined && process !== kept)
    const old = waiting.find(({ since }) => performance.now() - since > PATIENCE)
    if (old) return old
    const same = waiting.filter((idle) => idle.engine === engine)
    if (kept && same.length >= workers) return same[0]
    const [spare] = some
      .filter((idle) => idle.owner === undefined && used(idle.engine) < used(engine))
      .sort((one, other) => used(one.engine) - used(other.engine) || Number(one.booting) - Number(other.booting))
    return spare ?? (kept && waiting[0])
  }

  return {
    add(process, bytes, owner, booting = false) {
      const idle = { process, engine: process.engine, owner, since: performance.now(), booting, bytes }
      all.add(idle)
      return idle
    },
    take(matches) {
      const found = [...all].find((idle) => idle.process.alive && matches(idle))
      if (found) all.delete(found)
      return found?.process
    },
    remove(process) {
      const found = [...all].find((idle) => idle.process === process)
      return found !== undefined && all.delete(found)
    },
    has: (idle) => all.has(idle),

    makeRoom(bytes, engine, kept) {
      const free = left()
      const fitsWithout = (gone: readonly Idle[]) => {
        const freed = sizeOf(gone)
        return sizeOf(all) - freed + bytes <= memory && free + freed >= bytes + RESERVE
      }
      const gone: Idle[] = []
      while (!fitsWithout(gone)) {
        const least = leastWorth(
          [...all].filter((idle) => !gone.includes(idle)),
          engine,
          kept,
        )
        if (!least) break
        gone.push(least)
      }
      if (fitsWithout(gone)) {
        for (const idle of gone) end(idle)
        return true
      }
      const own = [...all].filter(({ process }) => process === kept)
      // Usually it alone is too large. Otherwise the machine is short of memory, and needs what the others use.
      if (own.length > 0) for (const idle of fitsWithout(own) ? own : [...own, ...gone]) end(idle)
      return false
    },

    shrink(engine, most, idle) {
      const ready = [...all].filter((one) => one.engine === engine && one.owner === undefined && !one.booting)
      const old = ready.filter(({ since }) => performance.now() - since > idle)
      for (const one of old.slice(0, Math.max(0, ready.length - most))) end(one)
    },
    retireWhere(matches) {
      for (const idle of [...all]) if (matches(idle)) end(idle)
    },
    count,
    mostUsed: () => [...demands.keys()].sort((one, other) => used(other) - used(one)),
  }
}

const sizeOf = (some: Iterable<Idle>) => [...some].reduce((total, { bytes }) => total + bytes, 0)
