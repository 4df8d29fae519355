import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { freeBytes } from '../../disk-space.ts'
import { ConversionFailure, noRoom, tooLargeResult } from '../../errors.ts'
import type { MemoryFileSystems } from '../walls/bubblewrap.ts'
import { largest, measure, OVERWRITTEN, UnmeasurableError, unlinkedBytes } from './disk-use.ts'
import { hasManyWatches, hiddenMemory } from './hidden-memory.ts'
import { bytesWritten, createProcessTable, memoryTogether, sum, type Tree } from './processes.ts'

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
  maxFileSize(): number | undefined
  /** Called once, when the tree exceeds a limit. The watch then ends. */
  onExceeded(failure: ConversionFailure): void
  /** Whether a long-lived process waits for its next job, for which the bytes written so far do not count. */
  idle?(): boolean
  /** Called at every poll with the seconds of CPU that the tree has used so far. */
  onPoll?(cpu: number): void
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
interface Watch {
  /** Time of the next walk through its folders, by `performance.now()`. */
  walk: number
  /** Bytes that the last walk found. */
  named: number
  /** Bytes that it had written to disk when its job began. */
  written: number
  /** What the process table showed of the idle tree at its last complete check, and when that was. */
  rest: { state: string; since: number } | undefined
}

/** Milliseconds between two polls: usually, and while a tree is near the memory limit. */
const POLL_MS = 250
const POLL_SOON_MS = 50
/** Longest time in milliseconds without a complete check of an idle tree. */
const MAX_REST_MS = 2000
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
  const watches = new Map<Watched, Watch>()
  let polling = false
  let isNear = false
  let device: Promise<number> | undefined
  /** Whether so little disk space is left that the service refuses uploads. */
  const isFull = async () => (await freeBytes(folder)) < limits.freeDisk

  return {
    watch(watched) {
      watches.set(watched, { walk: 0, named: 0, written: 0, rest: undefined })
      if (!polling) void poll()
      return () => void watches.delete(watched)
    },
    async filled(folders) {
      const { bytes } = await measure(folders, { bytes: limits.disk, files: limits.files }).catch(() => ({ bytes: 0 }))
      if (bytes >= limits.disk) return failure('all the disk space that is allowed')
      return (await isFull()) ? noRoom() : undefined
    },
    close: () => watches.clear(),
  }

  async function poll() {
    polling = true
    // Most jobs are over before the first poll.
    await delay(POLL_MS, undefined, { ref: false })
    while (watches.size) {
      isNear = false
      await checkAll().catch(() => {}) // the next poll makes up for a failed one
      await delay(isNear ? POLL_SOON_MS : POLL_MS, undefined, { ref: false })
    }
    polling = false
  }

  async function checkAll() {
    const trees = await scan([...watches.keys()].flatMap(({ pid }) => pid ?? []))
    const resting = new Set<Watched>()
    for (const [watched, watch] of [...watches]) {
      const tree = watched.pid && trees.get(watched.pid)
      if (!tree) continue
      watched.onPoll?.(sum(tree, 'cpu'))
      if (isResting(watched, watch, tree)) resting.add(watched)
      else await checkMemory(watched, tree)
    }
    const others = () => [...watches].filter(([watched]) => !resting.has(watched))
    await Promise.all(others().map(([watched, watch]) => performance.now() >= watch.walk && walk(watched, watch)))
    for (const [watched, watch] of others()) await checkWritten(watched, watch, trees.get(watched.pid ?? 0))
    await guardDisk(trees)
  }

  /**
   * Whether this check of an idle tree can be short: one that has used no CPU time since its last complete check can
   * have changed little. With many owners, dozens of processes wait, and complete checks would take a fifth of a core.
   */
  function isResting(watched: Watched, watch: Watch, tree: Tree): boolean {
    const memory = sum(tree, 'memory')
    const state = `${tree.size} ${sum(tree, 'cpu')} ${memory}`
    const now = performance.now()
    if (watched.idle?.() && watch.rest?.state === state && now - watch.rest.since < MAX_REST_MS) {
      isNear ||= memory > limits.memory * NEAR
      return true
    }
    // Without a walk through its folders, this check is not complete.
    watch.rest = watched.idle?.() && now >= watch.walk ? { state, since: now } : undefined
    return false
  }

  async function checkMemory(watched: Watched, tree: Tree) {
    const hidden = hiddenMemory(tree, sizes)
    const bytes = sum(tree, 'memory') + hidden.bytes
    isNear ||= bytes > limits.memory * NEAR
    if (hidden.files > limits.files) end(watched, 'more files than allowed')
    else if (hasManyWatches(tree)) end(watched, 'more epoll watches than allowed')
    else if (bytes > limits.memory && (await memoryTogether(tree)) + hidden.bytes > limits.memory)
      end(watched, 'more memory than allowed')
  }

  async function walk(watched: Watched, watch: Watch) {
    const began = performance.now()
    try {
      const { bytes, files } = await measure(watched.folders, { bytes: limits.disk, files: limits.files })
      watch.named = bytes
      if (files > limits.files) end(watched, 'more files than allowed')
      else if (bytes > limits.disk) end(watched, 'more disk space than allowed')
      const max = watched.maxFileSize()
      if (max !== undefined && (await largest(watched.folders[0]!)) > max) end(watched, tooLargeResult(max))
    } catch (error) {
      if (!(error instanceof UnmeasurableError)) throw error
      end(watched, error.message)
    }
    // Walks large trees less often, so that walks take at most a fifth of the time.
    watch.walk = performance.now() + 4 * (performance.now() - began)
  }

  /** Also counts files without a name, which walks do not find, once a tree has written more than the disk limit. */
  async function checkWritten(watched: Watched, watch: Watch, tree: Tree = new Map()) {
    const written = writtenBy(tree)
    if (watched.idle?.()) watch.written = written
    const since = written - watch.written
    if (since <= limits.disk) return
    device ??= stat(folder).then(({ dev }) => dev)
    const unlinked = await unlinkedBytes(tree.keys(), await device)
    if (since > limits.disk * OVERWRITTEN || watch.named + unlinked > limits.disk) {
      end(watched, 'more disk space than allowed')
    }
  }

  /** Ends the job that has written most when the disk is running full. */
  async function guardDisk(trees: ReadonlyMap<number, Tree>) {
    if (!(await isFull())) return
    const [first] = [...watches.keys()]
      .map((watched) => ({ watched, bytes: writtenBy(trees.get(watched.pid ?? 0) ?? new Map()) }))
      .sort((a, b) => b.bytes - a.bytes)
    if (first && first.bytes > LARGE) end(first.watched, 'too much of the remaining disk space')
  }

  function end(watched: Watched, what: string | ConversionFailure) {
    if (!watches.delete(watched)) return
    watched.onExceeded(typeof what === 'string' ? failure(what) : what)
  }
}

const failure = (what: string) =>
  new ConversionFailure('RESOURCE_LIMIT', `The conversion was stopped because it used ${what}`)

const writtenBy = (tree: Tree) => [...tree.keys()].reduce((bytes, pid) => bytes + bytesWritten(pid), 0)
