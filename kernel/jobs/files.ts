import type { Readable } from 'node:stream'
import { type Owner, owns } from '../accounts/owner.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { LookUp } from '../database/look-up.ts'
import { ServiceError } from '../errors.ts'
import type { StagedFile, Storage } from '../storage/storage.ts'
import { displayName, isKey, stemOf, storageKey } from './names.ts'
import type { Recognise } from './recognise.ts'

/** An upload as its owner sees it. */
export interface StoredFile {
  /** Storage key, the client's `fileId`. */
  key: string
  owner: string
  name: string
  mime: string
  /** Bytes. */
  size: number
  format: string
  category: string
  /** Epoch milliseconds. */
  createdAt: number
}

/** A file that was received and not yet looked at. */
export type Staged = Pick<StagedFile, 'size' | 'discard'>

/** What an upload answers. */
export interface Admission {
  file: StoredFile
  detection: { extension: string; mimeType: string; category: string }
  suggestions: string[]
}

export interface Files {
  /** Streams to a temporary place. Nothing stays after an abort. @throws ServiceError STORAGE_FULL. */
  stage(source: Readable, signal: AbortSignal): Promise<Staged>
  /** Detects, names and records a staged file. @throws ServiceError UNSUPPORTED_FORMAT; then nothing is kept. */
  admit(owner: Owner, staged: Staged, name: string): Promise<Admission>
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  find(owner: Owner, key: string): Promise<StoredFile>
  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  remove(owner: Owner, key: string): Promise<void>
  /** An upload by its key, whoever asks. */
  lookUp(key: string): Promise<StoredFile | undefined>
  /** Bytes of an upload or an output; `end` is inclusive. */
  open(item: { key: string }, range?: { start: number; end: number }): Readable
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
  onRemoved,
}: {
  database: Database
  lookUp: LookUp
  storage: Storage
  catalogue: Catalogue
  recognise: Recognise
  retention: { guest: number; account: number }
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
    if (!file || !owns(owner, file.owner)) {
      throw new ServiceError('NOT_FOUND', 'There is no such file: it does not exist, has expired or was removed')
    }
    return file
  }

  async function erase(key: string): Promise<void> {
    await onRemoved(key)
    await storage.remove(key)
    await database('files').where({ key }).delete()
  }

  return {
    stage: (source, signal) => storage.stage(source, signal),

    async admit(owner, staged, given) {
      const { path, size } = staged as StagedFile
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
        // The record first: a crash between the two leaves a record that expires, never bytes that nobody knows.
        await database('files').insert(toRow(file, createdAt + retention[owner.kind === 'guest' ? 'guest' : 'account']))
        await storage.keep(staged as StagedFile, key)
        return {
          file,
          detection: { extension, mimeType: mime, category },
          suggestions: catalogue.suggest(extension),
        }
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    find,
    async remove(owner, key) {
      await find(owner, key)
      // From here on nobody sees it; what a crash leaves over, the sweeper takes.
      await database('files').where({ key }).update({ expires_at: 0 })
      await erase(key)
    },
    lookUp: byKey,
    open: ({ key }, range) => storage.open(key, range),

    async sweep(now, limit) {
      const expired = await database('files').where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
      for (const { key } of expired) await erase(key)
      return expired.length
    },
  }
}

function unreadable(refused: string | undefined, extension: string | undefined): string {
  if (refused) return `file: ${refused}`
  if (extension) return `file: ${extension} files cannot be converted here; GET /api/formats lists what can`
  return 'file: its format was not recognised; GET /api/formats lists what can be converted'
}

const toRow = ({ createdAt, ...file }: StoredFile, expiresAt: number) => ({
  ...file,
  created_at: createdAt,
  expires_at: expiresAt,
})

const fromRow = ({ created_at, expires_at: _, ...row }: any): StoredFile => ({ ...row, createdAt: created_at })
