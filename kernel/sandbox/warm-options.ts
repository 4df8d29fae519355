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
  /**
   * Called when an engine's rehearsal has failed, with its last lines of output. Its spares do without from then on.
   */
  unrehearsed(engine: Engine, lines: readonly string[]): void
}

/**
 * Processes of one engine: spares that boot or rehearse, spares that are ready, and those kept for their owner's next
 * job.
 */
export interface WarmCount {
  engine: string
  booting: number
  ready: number
  kept: number
}

/** Warm processes: unused spares, and those that wait for their owner's next job. */
export interface WarmPool {
  /** Keeps spares of an engine from now on. The first one starts when no job runs, after those of other engines. */
  keep(engine: Engine): void
  /**
   * Returns a process for one job of `owner`, of the first of `engines` that has one. A spare may still boot or
   * rehearse: that is sooner than to start another. Never waits.
   */
  take(owner: string, engines: readonly Engine[]): WarmProcess | undefined
  /** Takes a process back after a job of `owner`, and keeps or retires it. Its folder must be empty. */
  give(owner: string, process: WarmProcess): void
  /** Starts the next spare that waited for the end of all jobs. Call it when a job has ended. */
  resume(): void
  /** Ends processes that share a folder, then discards the folder. Resolves when both are done. */
  retire(processes: readonly WarmProcess[]): Promise<void>
  /** Returns how many idle or booting processes each engine has. */
  count(): WarmCount[]
  close(): Promise<void>
}
