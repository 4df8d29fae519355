import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { type FileLock, lockFile } from '../file-lock.ts'
import { claim, claimedName, settle, type WatchOutcome } from './claimed-file.ts'
import type { After, Convert } from './convert.ts'
import { openKept, stateOf } from './kept-files.ts'

/** Milliseconds between two looks at a folder. Network mounts report no events. */
const INTERVAL = 2500
/** Milliseconds for which a file must not change before it counts as complete. */
const SETTLED = 5000
/** Milliseconds until a folder that is away, or that another process watches, is tried again. */
const AWAY = 10_000
/** Milliseconds before a file is tried again, doubled up to the longest. */
const RETRY = 5000
const MAX_RETRY_MS = 300_000

/** Folder for what is in progress, in the watched folder. */
const WORK = '.athanor'

/** What programs call a file while they write it, beside names with a dot in front. */
const UNFINISHED = /^~\$|~$|\.(?:part|partial|crdownload|download|tmp|filepart)$/i

/** One folder to watch. */
export interface Watch {
  from: string
  into: string
  after: After
  /** Files that are converted at the same time. */
  concurrency: number
}

/** What a watcher reports. */
export interface Reports {
  ended(name: string, outcome: WatchOutcome): void
  /** The file is tried again later. */
  postponed(name: string, error: unknown): void
  /** The folder cannot be watched now. Reported once, until it can. */
  away(reason: unknown): void
  back(): void
}

/**
 * Converts every file that comes into a folder, and those that are there, until the signal aborts. A file is taken once
 * it has not changed for five seconds. Of several processes, one watches a folder. Only the folder itself is watched,
 * not those in it.
 */
export async function watchFolder(
  watch: Watch,
  convert: Convert,
  reports: Reports,
  signal: AbortSignal,
): Promise<void> {
  for (let isAway = false; !signal.aborted; ) {
    try {
      using lock = await lockWork(watch.from)
      if (!lock) throw new Error('Another process watches it')
      await mkdir(watch.into, { recursive: true })
      if ((await realpath(watch.into)) === (await realpath(watch.from)))
        throw new Error('Results would be converted again')
      if (isAway) reports.back()
      isAway = false
      await watchLocked(watch, convert, reports, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!isAway) reports.away(error)
      isAway = true
      await pause(AWAY, signal)
    }
  }
}

async function lockWork(from: string): Promise<(FileLock & Disposable) | undefined> {
  // A folder that is not mounted must not be made.
  await readdir(from)
  await mkdir(join(from, WORK), { recursive: true, mode: 0o700 })
  const lock = lockFile(join(from, WORK, 'lock'), 0)
  return lock && { ...lock, [Symbol.dispose]: () => lock.release() }
}

/** @throws if the folder cannot be read any more, once no file is in progress. */
async function watchLocked(watch: Watch, convert: Convert, reports: Reports, stop: AbortSignal): Promise<void> {
  const { from, into, after, concurrency } = watch
  const away = new AbortController()
  const signal = AbortSignal.any([stop, away.signal])
  const claims = join(from, WORK, 'claimed')
  await mkdir(claims, { recursive: true, mode: 0o700 })
  const kept = await openKept(join(from, WORK, 'kept'), await readdir(from))
  const limit = pLimit(concurrency)
  const running = new Set<Promise<void>>()
  /** Files that cannot be moved. Each is reported once. */
  const held = new Set<string>()

  /** Ends once the file is out of the way, or the signal aborts. */
  async function work(id: string, name: string): Promise<void> {
    for (let wait = RETRY; !signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        const run = () => settle(join(claims, id), id, { from, into, after, kept }, convert, signal)
        const outcome = await limit(() => (signal.aborted ? undefined : run()))
        if (outcome) reports.ended(name, outcome)
        return
      } catch (error) {
        if (signal.aborted) return
        reports.postponed(name, error)
        await pause(wait, signal)
      }
    }
  }
  function start(id: string, name: string): void {
    const done = work(id, name).finally(() => running.delete(done))
    running.add(done)
  }

  /** Another program may have the file open, or it is of another user: then it stays until that has changed. */
  async function take(id: string, name: string): Promise<string | undefined> {
    try {
      const folder = await claim(from, name, join(claims, id))
      held.delete(name)
      return folder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== 'rename') throw error
      if (!held.has(name)) reports.postponed(name, error)
      held.add(name)
      return undefined
    }
  }

  try {
    // What an earlier process has left. No other works here now.
    for (const entry of await readdir(claims, { withFileTypes: true })) {
      const id = entry.name
      if (entry.isDirectory()) start(id, (await claimedName(join(claims, id))) ?? id)
    }
    const seen = createSeen()
    while (!signal.aborted) {
      for (const name of await seen.settled(from, kept.has)) {
        // Until its turn comes, a file stays where whoever looks into the folder sees it.
        await limit(() => {})
        if (signal.aborted) break
        const id = randomUUID()
        if (await take(id, name)) start(id, name)
      }
      await pause(INTERVAL, signal)
    }
  } finally {
    // What is in progress goes on once the folder is back.
    away.abort()
    await Promise.all(running)
  }
}

/** Remembers how files looked, and since when. */
function createSeen() {
  let before = new Map<string, { state: string; since: number }>()
  return {
    /** Lists the files that have not changed for long enough. */
    async settled(from: string, isKept: (name: string, state: string) => boolean): Promise<string[]> {
      const now = performance.now()
      const seen: typeof before = new Map()
      for (const entry of await readdir(from, { withFileTypes: true })) {
        const { name } = entry
        if (!entry.isFile() || name.startsWith('.') || UNFINISHED.test(name)) continue
        const stats = await lstat(join(from, name)).catch(() => undefined)
        if (!stats?.size) continue
        const state = stateOf(stats)
        if (isKept(name, state)) continue
        const known = before.get(name)
        seen.set(name, known?.state === state ? known : { state, since: now })
      }
      before = seen
      return [...seen].filter(([, { since }]) => now - since >= SETTLED).map(([name]) => name)
    },
  }
}

const pause = (time: number, signal: AbortSignal) => delay(time, undefined, { signal }).catch(() => {})
