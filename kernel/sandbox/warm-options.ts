import type { Engine } from '../contract.ts'
import type { WarmProcess } from './warm-process.ts'

/** Settings of the pool of warm processes, and what it needs of the machine. */
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
  /** Starts a process in a folder of its own. */
  start(engine: Engine): Promise<WarmProcess>
  /** Gives a process a low priority as soon as that is safe, if `waits` is still true then. */
  slow(process: WarmProcess, waits: () => boolean): void
  /** Gives a process the usual priority. */
  hurry(process: WarmProcess): void
  /** Resolves to the bytes of memory that a process uses. */
  measure(process: WarmProcess): Promise<number>
  /** Returns its resident bytes, shared ones included. To measure it takes 3 ms of CPU more, too much for each job. */
  resident(process: WarmProcess): number
  /** Bytes of memory that the machine has left. */
  left(): number
  /** Whether a job has a sandbox. */
  working(): boolean
  /** Discards the folder of a process that has ended. */
  discard(folder: string): Promise<void>
  /** Called when an engine's processes repeatedly fail to boot. */
  failed(engine: Engine): void
}

/** Processes of one engine: spares that boot, spares that are ready, and those kept for their owner's next job. */
export interface WarmCount {
  engine: string
  booting: number
  ready: number
  kept: number
}
