import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { ServiceError } from '../../errors.ts'
import type { Append, Parts } from './parts.ts'
import type { StagedFile, Storage } from './storage.ts'

/** Maximum bytes of an object: as many as S3 takes in one request. */
const MAX_OBJECT = 8 * 1024 ** 2

/** Objects below this size are small. */
const SMALL = 1024 ** 2

/** So many small objects at the end of an upload become one. */
const MAX_SMALL = 16

/** Objects that are removed at the same time. */
const REMOVED_AT_ONCE = 8

/** Bytes of an upload in one object: `parts/<upload>/<start>-<fence>-<SHA-256>`. */
interface Part {
  key: string
  start: number
  fence: number
  sha256: string
  /** Bytes. */
  size: number
}

const folderOf = (upload: string) => `parts/${upload}/`

function partOf({ key, size }: { key: string; size: number }): Part {
  const [start, fence, sha256 = ''] = basename(key).split('-')
  return { key, size, start: Number(start), fence: Number(fence), sha256 }
}

/**
 * Keeps uploads as objects in the storage that several nodes share. Objects never change, and their keys have the
 * fence. So a node that was stopped and wakes too late changes nothing that counts. The storage must list an object as
 * soon as it is stored.
 */
export function createPartObjects(storage: Pick<Storage, 'stage' | 'keep' | 'checkOut' | 'list' | 'remove'>): Parts {
  const removing = pLimit(REMOVED_AT_ONCE)

  /** Returns the objects with the first bytes of an upload, in order. @throws Error if one is missing. */
  async function listParts(upload: string, size: number): Promise<Part[]> {
    const all = (await storage.list(folderOf(upload))).map(partOf)
    // Of those that begin at one byte, only the newest counts: older requests stored the others too late. A larger one
    // of the same request has replaced small ones.
    all.sort((one, other) => one.fence - other.fence || one.size - other.size)
    const newest = new Map(all.map((part) => [part.start, part]))
    const parts: Part[] = []
    let end = 0
    for (let part = newest.get(0); part && end < size; part = newest.get(end)) {
      parts.push(part)
      end += part.size
    }
    if (end !== size) throw new Error(`the parts of a resumable upload end at ${end} instead of ${size}`)
    return parts
  }

  async function* read(parts: readonly Part[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const { key, size, sha256 } of parts) {
      await using file = await storage.checkOut(key, { size, sha256 }, signal)
      yield* createReadStream(file.path)
    }
  }

  const readAll = (parts: readonly Part[], signal: AbortSignal): Promise<StagedFile> =>
    storage.stage(Readable.from(read(parts, signal)), signal, async () => {})

  /** Stores a staged object, and returns its key. */
  async function keep(staged: StagedFile, start: number, { upload, fence, signal }: Append): Promise<string> {
    const key = `${folderOf(upload)}${start}-${fence}-${staged.sha256}`
    try {
      await storage.keep(staged, key, signal)
    } catch (error) {
      await staged.discard()
      throw error
    }
    return key
  }

  /** Removes objects. What cannot be removed now is removed with the upload. */
  const tryToRemove = (keys: readonly string[]) =>
    Promise.allSettled(keys.map((key) => removing(() => storage.remove(key))))

  /** Replaces the small objects at the end by one, if they are many. */
  async function merge(end: number, how: Append): Promise<void> {
    const parts = await listParts(how.upload, end)
    const small = parts.slice(parts.findLastIndex(({ size }) => size >= SMALL) + 1)
    const [first] = small
    if (!first || small.length < MAX_SMALL) return
    await keep(await readAll(small, how.signal), first.start, how)
    // Nobody else has listed the small ones without the new one.
    await how.count(end, true)
    await tryToRemove(small.map(({ key }) => key))
  }

  return {
    async append(body, how) {
      const { start, whole, signal, count } = how
      const streams = cut(body, MAX_OBJECT)
      let uncounted: string[] = []
      let end = start
      let lastSize = 0
      let storing: Promise<void> = Promise.resolve()

      async function store(staged: StagedFile, from: number): Promise<void> {
        uncounted.push(await keep(staged, from, how))
        await countTo(from + staged.size, false)
      }

      async function countTo(to: number, isComplete: boolean): Promise<void> {
        try {
          await count(to, isComplete)
          if (isComplete || !whole) uncounted = []
        } catch (error) {
          // If only the answer of the database was lost, they count.
          if (!(error instanceof ServiceError)) uncounted = []
          throw error
        }
      }

      try {
        for (let stream = await streams.next(); stream; stream = await streams.next()) {
          const staged = await storage.stage(stream, signal, async () => {})
          // One object is on its way while the next one arrives.
          await storing.catch((error) => staged.discard().then(() => Promise.reject(error)))
          storing = store(staged, end)
          storing.catch(() => {})
          lastSize = staged.size
          end += lastSize
        }
        await storing
        if (streams.failure()) throw streams.failure()
        await countTo(end, true)
      } catch (error) {
        await storing.catch(() => {})
        await tryToRemove(uncounted)
        throw error
      }
      if (lastSize && lastSize < SMALL) await merge(end, how).catch(() => {})
    },

    async join(upload, size, signal) {
      return readAll(await listParts(upload, size), signal)
    },

    async remove(upload) {
      const objects = await storage.list(folderOf(upload))
      await Promise.all(objects.map(({ key }) => removing(() => storage.remove(key))))
    },
  }
}

/** A body as a row of streams. */
interface CutBody {
  /** Returns the next bytes. Undefined: there are none. The stream before must have been read. */
  next(): Promise<Readable | undefined>
  /** Why the body broke. What arrived before is in the streams. */
  failure(): unknown
}

/** Cuts a body into streams of at most `max` bytes. None of them fails, also if the body does. */
function cut(body: AsyncIterable<Buffer>, max: number): CutBody {
  const chunks = body[Symbol.asyncIterator]()
  let rest: Buffer | undefined
  let broken: unknown

  async function peek(): Promise<Buffer | undefined> {
    if (rest || broken) return rest
    try {
      const { done, value } = await chunks.next()
      rest = done ? undefined : value
    } catch (error) {
      broken = error
    }
    return rest
  }

  async function* piece() {
    for (let room = max; room > 0; ) {
      const chunk = await peek()
      if (!chunk) return
      const first = chunk.subarray(0, room)
      room -= first.length
      rest = chunk.length > first.length ? chunk.subarray(first.length) : undefined
      if (first.length) yield first
    }
  }

  return {
    async next() {
      return (await peek()) && Readable.from(piece())
    },
    failure: () => broken,
  }
}
