import type { WarmPoolOptions } from './warm-options.ts'
import type { WarmProcess } from './warm-process.ts'

/** How often something happens: an average whose older events count less and less. */
interface Rate {
  note(): void
  /** Events per second. */
  now(): number
}

/** @param memory Seconds after which an event counts for about a third. */
function createRate(memory: number): Rate {
  let rate = 0
  let since = performance.now()
  const decayed = () => rate * Math.exp(-(performance.now() - since) / 1000 / memory)
  return {
    note() {
      rate = decayed() + 1 / memory
      since = performance.now()
    },
    now: decayed,
  }
}

/** What is known of the use of one engine's processes. */
export interface Demand {
  /** How often a job wanted a process of the engine. */
  readonly used: Rate
  /** How often a job wanted one that had no owner yet. */
  readonly fresh: Rate
  /** Notes how many milliseconds a process took to boot. */
  booted(took: number): void
  /** Notes the bytes of memory and the resident bytes of a process that has booted; 0: it had ended before. */
  measured(memory: number, resident: number): void
  /** Notes the bytes of memory of a process at work; 0: it had ended before. A spare uses no more. */
  worked(memory: number): void
  /** Bytes that a spare uses. */
  size(): number
  /** Whether that was measured in the last minute. To measure takes a few milliseconds of CPU. */
  isKnown(): boolean
  /** Bytes that a process with so many resident bytes uses; undefined: none was measured yet. */
  sizeWith(resident: number): number | undefined
  /** How many spares jobs will take in the time that one needs to boot. */
  wanted(): number
}

/** Bytes that a process is taken to use until one was measured, if its engine does not tell. */
const GUESS = 100 * 1024 ** 2
/** Milliseconds that a measured size is taken for that of all spares. */
const LASTS = 60_000

/** @param guess Bytes that a process is taken to use until one was measured. */
export function createDemand(guess: number = GUESS): Demand {
  const used = createRate(600)
  const fresh = createRate(10)
  let boot = 0
  let size = guess
  let until = 0
  /** Resident bytes that are not its own, such as the code of its program. */
  let shared: number | undefined
  return {
    used,
    fresh,
    booted(took) {
      boot = boot === 0 ? took : (boot + took) / 2
    },
    measured(memory, resident) {
      if (memory === 0) return
      size = memory
      shared = Math.max(0, resident - memory)
      until = performance.now() + LASTS
    },
    worked(memory) {
      if (memory > 0) size = Math.min(size, memory)
    },
    size: () => size,
    sizeWith: (resident) => (shared === undefined ? undefined : Math.max(0, resident - shared)),
    isKnown: () => performance.now() < until,
    wanted: () => Math.floor((fresh.now() * boot) / 1000),
  }
}

/**
 * Measures a spare that has booted, if that is due.
 * @param isSpare Whether no job has taken it yet: at work it uses more.
 */
export async function measureSpare(
  demand: Demand,
  host: Pick<WarmPoolOptions, 'measure' | 'resident'>,
  process: WarmProcess,
  isSpare: () => boolean,
): Promise<void> {
  if (demand.isKnown()) return
  const resident = host.resident(process)
  const bytes = await host.measure(process)
  if (isSpare()) demand.measured(bytes, resident)
  else demand.worked(bytes)
}
