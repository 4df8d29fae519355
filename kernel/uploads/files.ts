import type { Readable } from 'node:stream'
import { type Owner, owns } from '../accounts/owner.ts'
import type { Arrival, StoredBytes } from '../accounts/stored-bytes.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { LookUp } from '../database/look-up.ts'
import type { Transact } from '../database/transact.ts'
import type { Recognise } from '../detection/recognise.ts'
import { ServiceError } from '../errors.ts'
import { displayName, isKey, stemOf, storageKey } from '../storage/names.ts'
import type { StagedFile, Storage } from '../storage/storage.ts'
import { type FileRow, fromRow, insertion, type StoredFile } from './file-rows.ts'

/** A file that was received and not yet looked at. */
export type Staged = Pick<StagedFile, 'size' | 'discard'>

/** What `Staged` hides: the bytes count as arriving until they are charged or discarded. */
interface Received extends StagedFile {
  arrival: Arrival
}

/** What an upload answers. */
export interface Admission {
  file: StoredFile
  detection: { extension: string; mimeType: string; category: string }
  suggestions: string[]
}

export interface Files {
  /** @param announced Bytes that are to come. @throws ServiceError QUOTA_EXCEEDED when they cannot fit. */
  expect(owner: Owner, announced: number): Promise<Arrival>
  /**
   * Streams to a temporary place. Nothing stays after an abort.
   * @throws ServiceError STORAGE_FULL; QUOTA_EXCEEDED as soon as more has arrived than fits.
   */
  stage(arrival: Arrival, source: Readable, signal: AbortSignal): Promise<Staged>
  /**
   * Detects, names and records a staged file, and charges its bytes.
   * @throws ServiceError UNSUPPORTED_FORMAT, QUOTA_EXCEEDED; then nothing is kept.
   */
  admit(owner: Owner, staged: Staged, name: string): Promise<Admission>
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  find(owner: Owner, key: string): Promise<StoredFile>
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  remove(owner: Owner, key: string): Promise<void>
  /** An upload by its key, whoever asks. */
  lookUp(key: string): Promise<StoredFile | undefined>
  /** Streams exactly the recorded bytes of an upload or an output, or those of a range; `end` is inclusive. */
  open(item: { key: string; size: number }, range?: { start: number; end: number }): Readable
  /** Removes at most `limit` uploads that have expired; resolves to their number. */
  sweep(now: number, limit: number): Promise<number>
}

/** Uploads: received, recognised, kept for a while, removed. Retention in milliseconds. */
export function createFiles({
  database,
  lookUp,
  storage,
  catalogue,
  recognise,
  retention,
  storedBytes,
  transact,
  onRemoved,
}: {
  database: Database
  lookUp: LookUp
  storage: Storage
  catalogue: Catalogue
  recognise: Recognise
  retention: { guest: number; account: number }
  storedBytes: StoredBytes
  transact: Transact
  /** Called when an upload is gone, before its bytes are. */
  onRemoved: (key: string) => Promise<void>
}): Files {
  async function byKey(key: string): Promise<StoredFile | undefined> {
    if (!isKey(key)) return undefined
    const row = await lookUp('files', 'key', key)
    return row && row.expires_at > Date.now() ? fromRow(row) : undefined
  }

  async function find(owner: Owner, key: string): Promise<StoredFile> {
    const file = await byKey(key)
    if (!file || !owns(owner, file.owner)) throw noSuchFile()
    return file
  }

  async function erase({ key, size, charged_to }: Pick<FileRow, 'key' | 'size' | 'charged_to'>): Promise<void> {
    await onRemoved(key)
    await storage.remove(key)
    await transact(function* () {
      // Of two that remove it at one time, one gives its bytes back.
      if (yield { sql: 'delete from files where `key` = ?', values: [key] }) {
        yield* storedBytes.giveBack(charged_to, Number(size))
      }
    })
  }

  return {
    expect: (owner, announced) => storedBytes.arrive(owner, announced),

    async stage(arrival, source, signal) {
      try {
        return { ...(await storage.stage(source, signal, arrival.add)), arrival } satisfies Received
      } catch (error) {
        arrival.end()
        throw error
      }
    },

    async admit(owner, staged, given) {
      const { path, size, arrival } = staged as Received
      try {
        const name = displayName(given)
        const seen = await recognise(path, name)
        const format = seen && 'extension' in seen ? catalogue.known.get(seen.extension) : undefined
        if (
          !format ||
          !catalogue.formats.some(({ extension, readable }) => readable && extension === format.extension)
        ) {
          throw new ServiceError(
            'UNSUPPORTED_FORMAT',
            unreadable(seen && 'refused' in seen ? seen.refused : undefined, format?.extension),
          )
        }
        const createdAt = Date.now()
        const { extension, mime, category } = format
        const key = storageKey(
          'uploads',
          newId(),
          stemOf(name, [extension, ...(format.aliases ?? [])]),
          extension,
          createdAt,
        )
        const file: StoredFile = { key, owner: owner.id, name, mime, size, format: extension, category, createdAt }
        const more = {
          expires_at: createdAt + retention[owner.kind === 'guest' ? 'guest' : 'account'],
          charged_to: owner.chargeTo.join(' '),
        }
        // The record first: a crash between the two leaves a record that expires, never bytes that nobody knows.
        await storedBytes.charge(owner, size, 'file', function* (take) {
          yield insertion(file, more)
          yield* take()
        })
        try {
          await storage.keep(staged as StagedFile, key)
        } catch (error) {
          await erase({ ...file, ...more })
          throw error
        }
        return {
          file,
          detection: { extension, mimeType: mime, category },
          suggestions: catalogue.suggest(extension),
        }
      } catch (error) {
        await staged.discard()
        throw error
      } finally {
        arrival.end()
      }
    },

    find,
    async remove(owner, key) {
      await find(owner, key)
      // From here on nobody sees it; what a crash leaves over, the sweeper takes.
      await database('files').where({ key }).update({ expires_at: 0 })
      const row: FileRow | undefined = await database('files').where({ key }).first()
      if (row) await erase(row)
    },
    lookUp: byKey,
    open: ({ key, size }, range = { start: 0, end: size - 1 }) => storage.open(key, range),

    async sweep(now, limit) {
      const expired = await database('files').where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
      for (const row of expired) await erase(row)
      return expired.length
    },
  }
}

function unreadable(refused: string | undefined, extension: string | undefined): string {
  if (refused) return `file: ${refused}`
  if (extension) return `file: ${extension} files cannot be converted here; GET /api/formats lists what can`
  return 'file: its format was not recognised; GET /api/formats lists what can be converted'
}

export const noSuchFile = () =>
  new ServiceError('NOT_FOUND', 'There is no such file: it does not exist, has expired or was removed')
