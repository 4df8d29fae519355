import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { freeBytes } from '../disk-space.ts'
import { ConversionFailure, noRoom, tooLargeResult } from '../errors.ts'
import type { MemoryFileSystems } from './bubblewrap.ts'
import { hasManyWatches, hiddenMemory } from './hidden.ts'
import { bytesWritten, createProcessTable, memoryTogether, sum, type Usage } from './processes.ts'
import { createRests } from './rest.ts'
import { OVERWRITTEN, unlinkedBytes } from './unlinked.ts'
import { largest, measure, UnmeasurableError } from './usage.ts'

/** Limits of one conversion, and the bytes of disk to keep free. */
export interface WatchLimits {
  memory: number
  disk: number
  files: number
  freeDisk: number
}

/** A process tree and the folders that it can write to. */
export interface Watched {
  /** Root of the tree; undefined: it could not be started. */
  pid: number | undefined
  /** The first is the folder of the results. */
  folders: readonly string[]
  /** Current size limit of one file in the first folder, in bytes; undefined: the disk limit. */
  most(): number | undefined
  /** Called once, when the tree exceeds a limit. The watch then ends. */
  exceeded(failure: ConversionFailure): void
  /** Whether a long-lived process waits for its next job, for which the bytes written so far do not count. */
  idle?(): boolean
  /** Called at every poll with the seconds of CPU that the tree has used so far. */
  looked?(cpu: number): void
}

export interface Watchdog {
  /** Watches a tree until you call the returned function. */
  watch(watched: Watched): () => void
  /**
   * Checks whether a program may have failed because these folders, or the disk, are full: few programs say so.
   * Resolves to that failure, or to undefined.
   */
  filled(folders: readonly string[]): Promise<ConversionFailure | undefined>
  close(): void
}

/** State of one watch. */
interface Times {
  /** Time of the next walk through its folders, by `performance.now()`. */
  walk: number
  /** Bytes that the last walk found. */
  named: number
  /** Bytes that it had written to disk when its job began. */
  written: number
}

/** Milliseconds between two polls: usually, and while a tree is near the memory limit. */
const PERIOD = 250
const SOON = 50
/** Share of the memory limit above which a tree is near it. */
const NEAR = 0.4
/** Bytes written; ending a job that wrote less would not help a full disk. */
const LARGE = 64 * 1024 ** 2

/**
 * Enforces limits on whole process trees: memory, disk, files and epoll watches. The kernel applies such limits only to
 * single processes. One timer polls all trees every 250 ms while there is anything to watch, and every 50 ms near the
 * memory limit.
 *
 * @param folder any path on the disk that the trees write to
 * @param sizes in-memory file systems that each tree has to itself; undefined: none
 */
export function createWatchdog(limits: WatchLimits, folder: string, sizes?: MemoryFileSystems): Watchdog {
  const scan = createProcessTable()
  const watches = new Map<Watched, Times>()
  const rests = createRests()
  let looking = false
  let isNear = false
  let closed = false
  let device: Promise<number> | undefined
  /** Whether so little disk space is left that the service refuses uploads. */
  const isFull = async () => (await freeBytes(folder)) < limits.freeDisk

  return {
    watch(watched) {
      watches.set(watched, { walk: 0, named: 0, written: 0 })
      if (!looking) void look()
      return () => void watches.delete(watched)
    },
    async filled(folders) {
      const { bytes } = await measure(folders, { bytes: limits.disk, files: limits.files }).catch(() => ({ bytes: 0 }))
      if (bytes >= limits.disk) return failure('all the disk space that is allowed')
      return (await isFull()) ? noRoom() : undefined
    },
    close() {
      closed = true
      watches.clear()
    },
  }

  async function look() {
    looking = true
    // Most jobs are over before the first poll.
    await delay(PERIOD, undefined, { ref: false })
    while (watches.size && !closed) {
      isNear = false
      await lookOnce().catch(() => {}) // the next poll makes up for a failed one
      await delay(isNear ? SOON : PERIOD, undefined, { ref: false })
    }
    looking = false
  }

  async function lookOnce() {
    const trees = await scan([...watches.keys()].flatMap(({ pid }) => pid ?? []))
    const resting = new Set<Watched>()
    for (const [watched, times] of [...watches]) {
      const tree = watched.pid && trees.get(watched.pid)
      if (!tree) continue
      watched.looked?.(sum(tree, 'cpu'))
      if (isResting(watched, times, tree)) resting.add(watched)
      else await weigh(watched, tree)
    }
    const others = () => [...watches].filter(([watched]) => !resting.has(watched))
    await Promise.all(others().map(([watched, times]) => performance.now() >= times.walk && walk(watched, times)))
    for (const [watched, times] of others()) await account(watched, times, trees.get(watched.pid ?? 0)?.keys() ?? [])
    await guardDisk(trees)
  }

  /** Whether this look at an idle tree can be short. */
  function isResting(watched: Watched, { walk }: Times, tree: ReadonlyMap<number, Usage>): boolean {
    if (watched.idle?.() && rests.has(watched, tree)) {
      isNear ||= sum(tree, 'memory') > limits.memory * NEAR
      return true
    }
    // Without a walk through its folders, this look is not complete.
    if (watched.idle?.() && performance.now() >= walk) rests.note(watched, tree)
    else rests.forget(watched)
    return false
  }

  async function weigh(watched: Watched, tree: ReadonlyMap<number, Usage>) {
    const hidden = hiddenMemory(tree, { sizes })
    const most = sum(tree, 'memory') + hidden.bytes
    isNear ||= most > limits.memory * NEAR
    if (hidden.files > limits.files) end(watched, 'more files than allowed')
    else if (hasManyWatches(tree)) end(watched, 'more epoll watches than allowed')
    else if (most > limits.memory && (await memoryTogether(tree)) + hidden.bytes > limits.memory)
      end(watched, 'more memory than allowed')
  }

  async function walk(watched: Watched, times: Times) {
    const began = performance.now()
    try {
      const { bytes, files } = await measure(watched.folders, { bytes: limits.disk, files: limits.files })
      times.named = bytes
      if (files > limits.files) end(watched, 'more files than allowed')
      else if (bytes > limits.disk) end(watched, 'more disk space than allowed')
      const most = watched.most()
      if (most !== undefined && (await largest(watched.folders[0]!)) > most) end(watched, tooLargeResult(most))
    } catch (error) {
      if (!(error instanceof UnmeasurableError)) throw error
      end(watched, error.message)
    }
    // Walks large trees less often, so that walks take at most a fifth of the time.
    times.walk = performance.now() + 4 * (performance.now() - began)
  }

  /** Also counts files without a name, which walks do not find, once a tree has written more than the disk limit. */
  async function account(watched: Watched, times: Times, pids: Iterable<number>) {
    const tree = [...pids]
    const written = tree.reduce((bytes, pid) => bytes + bytesWritten(pid), 0)
    if (watched.idle?.()) times.written = written
    const since = written - times.written
    if (since <= limits.disk) return
    device ??= stat(folder).then(({ dev }) => dev)
    const unlinked = await unlinkedBytes(tree, await device)
    if (since > limits.disk * OVERWRITTEN || times.named + unlinked > limits.disk) {
      end(watched, 'more disk space than allowed')
    }
  }

  /** Ends the job that has written most when the disk is running full. */
  async function guardDisk(trees: ReadonlyMap<number, ReadonlyMap<number, Usage>>) {
    if (!(await isFull())) return
    const written = ({ pid }: Watched) =>
      [...(trees.get(pid ?? 0)?.keys() ?? [])].reduce((bytes, process) => bytes + bytesWritten(process), 0)
    const [first] = [...watches.keys()]
      .map((watched) => ({ watched, bytes: written(watched) }))
      .sort((a, b) => b.bytes - a.bytes)
    if (first && first.bytes > LARGE) end(first.watched, 'too much of the remaining disk space')
  }

  function end(watched: Watched, what: string | ConversionFailure) {
    if (!watches.delete(watched)) return
    watched.exceeded(typeof what === 'string' ? failure(what) : what)
  }
}

const failure = (what: string) =>
  new ConversionFailure('RESOURCE_LIMIT', `The conversion was stopped because it used ${what}`)
