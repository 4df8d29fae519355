import type { Engine } from '../../contract.ts'
import type { WarmProcess } from './warm-process.ts'

/** A warm process that does not work. */
export interface Idle {
  readonly engine: Engine
  /** Whose next job it waits for; undefined: a spare. */
  readonly owner: string | undefined
  /** Time since which it waits, by `performance.now()`. */
  readonly since: number
  /** Undefined while it is being started. */
  process: WarmProcess | undefined
  booting: boolean
  /** Memory that it uses, or is assumed to use until it was measured. */
  bytes: number
}

/** Bytes that a process is assumed to use until it was measured, if its engine does not say. */
const DEFAULT_SIZE = 100 * 1024 ** 2
/** Bytes of memory that the machine should have left beside idle processes. */
const RESERVE = 256 * 1024 ** 2
/** Milliseconds after which an owner who has not come back is not expected any more. */
const EXPECTED_MS = 5000

/**
 * @param memory maximum bytes of the processes together
 * @param freeMemory returns the bytes of memory that the machine has left
 * @param retire ends a process that was removed
 */
export function createIdleProcesses(memory: number, freeMemory: () => number, retire: (process: WarmProcess) => void) {
  /** The longest waiting comes first. */
  const all = new Set<Idle>()
  const sizeOf = (engine: Engine) => engine.warm!.memory ?? DEFAULT_SIZE
  const total = (some: Iterable<Idle>) => [...some].reduce((sum, { bytes }) => sum + bytes, 0)
  /** Bytes by which the processes exceed their budget, or what the machine can spare, with `more` bytes. */
  const excess = (more: number) => Math.max(total(all) + more - memory, RESERVE + more - freeMemory())

  function end(idle: Idle) {
    all.delete(idle)
    if (idle.process) retire(idle.process)
  }

  /** Ends the first of `candidates` that use `bytes` together. */
  function endFirst(candidates: readonly Idle[], bytes: number) {
    let left = bytes
    for (const idle of candidates) {
      if (left <= 0) return
      left -= idle.bytes
      end(idle)
    }
  }

  return {
    /** Adds a spare that boots or, with `owner`, a process that waits for its owner's next job. */
    add(engine: Engine, process?: WarmProcess, owner?: string) {
      const since = performance.now()
      const idle: Idle = { engine, owner, since, process, booting: owner === undefined, bytes: sizeOf(engine) }
      all.add(idle)
      return idle
    },
    has: (idle: Idle) => all.has(idle),
    /** Removes a process for its next job: the owner's, else a spare that is ready, else one that boots. */
    take(engine: Engine, owner: string) {
      const alive = [...all].filter((idle) => idle.engine === engine && idle.process?.alive)
      const spares = alive.filter(isSpare)
      const found = alive.find((idle) => idle.owner === owner) ?? spares.find(({ booting }) => !booting) ?? spares[0]
      if (found) all.delete(found)
      return found
    },
    remove(process: WarmProcess) {
      for (const idle of all) if (idle.process === process) all.delete(idle)
    },
    end,
    endWhere(matches: (idle: Idle) => boolean) {
      for (const idle of all) if (matches(idle)) end(idle)
    },
    /** Ends processes until the rest fits: other kept ones first, then spares of other engines, then `kept` itself. */
    fit(kept: Idle) {
      // One large process must not displace all others.
      if (kept.bytes > memory / 2) end(kept)
      const others = [...all].filter((idle) => idle !== kept)
      const spares = others.filter((idle) => isSpare(idle) && idle.engine !== kept.engine)
      const candidates = [...others.filter((idle) => !isSpare(idle)), ...spares, ...(all.has(kept) ? [kept] : [])]
      endFirst(candidates, excess(0))
    },
    /** Makes room for a spare, if that ends only processes whose owners are not expected any more. */
    makeRoom(engine: Engine) {
      const over = excess(sizeOf(engine))
      const since = performance.now() - EXPECTED_MS
      const old = [...all].filter((idle) => !isSpare(idle) && idle.since < since)
      if (total(old) < over) return false
      endFirst(old, over)
      return true
    },
    count(engine: Engine) {
      const own = [...all].filter((idle) => idle.engine === engine)
      const spares = own.filter(isSpare)
      const booting = spares.filter((idle) => idle.booting).length
      return { engine: engine.name, booting, ready: spares.length - booting, kept: own.length - spares.length }
    },
  }
}

const isSpare = (idle: Idle) => idle.owner === undefined
