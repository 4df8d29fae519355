import type { Readable } from 'node:stream'
import { createRowSweep } from '../../database/rows.ts'
import { deleteFile, expireFile, type FileRow, findFile, listExpiredFiles } from '../../database/tables/files.ts'
import { transact } from '../../database/transact.ts'
import { ServiceError } from '../../errors.ts'
import { type Owner, owns } from '../../people/owner.ts'
import type { Arrival } from '../../people/stored-bytes.ts'
import type { FileNeeds } from '../needs.ts'
import { isKey } from '../storage/keys.ts'
import { type Admission, createAdmit, type Staged } from './admission.ts'
import { fromRow, type StoredFile } from './stored-file.ts'

export type Files = ReturnType<typeof createFiles>

/**
 * Creates the part that receives, recognises, keeps and removes uploads.
 *
 * @param onRemoved Called when an upload is removed, before its bytes are.
 */
export function createFiles(needs: FileNeeds, onRemoved: (key: string) => Promise<void>) {
  const { database, storage, catalogue, storedBytes, changes, log } = needs

  async function byKey(key: string): Promise<StoredFile | undefined> {
    if (!isKey(key)) return undefined
    const row = await findFile(database, key)
    return row && row.expires_at > Date.now() ? fromRow(row) : undefined
  }

  /** @throws ServiceError NOT_FOUND, also for another owner's upload. */
  async function find(owner: Owner, key: string): Promise<StoredFile> {
    const file = await byKey(key)
    if (!file || !owns(owner, file.owner)) throw noSuchFile()
    return file
  }

  async function erase({ key, owner, size, charged_to }: FileRow): Promise<void> {
    await onRemoved(key)
    await storage.remove(key)
    await transact(database, async (transaction) => {
      // If two callers remove the same upload at once, only one releases its bytes.
      if (await deleteFile(transaction, key)) await storedBytes.giveBack(transaction, charged_to, Number(size))
    })
    changes.publish({ owner })
  }

  /** Erases an upload. If this stops in between, clients get NOT_FOUND, and the sweeper removes the rest. */
  async function expireNow(row: FileRow): Promise<void> {
    await expireFile(database, row.key)
    await erase(row)
  }

  async function eraseByKey(key: string): Promise<void> {
    const row = await findFile(database, key)
    if (row) await expireNow(row)
  }

  /** The answer to the upload of a file that is stored already. */
  const describe = (file: StoredFile): Admission => ({
    file,
    detection: { extension: file.format, mimeType: file.mime, category: file.category },
    suggestions: catalogue.suggest(file.format),
  })

  return {
    /** Announces an upload. @param announced Bytes to come. @throws ServiceError QUOTA_EXCEEDED if they cannot fit. */
    expect: (owner: Owner, announced: number) => storedBytes.arrive(owner, announced),

    /**
     * Streams to a temporary file. An abort removes it.
     * @throws ServiceError STORAGE_FULL; QUOTA_EXCEEDED as soon as more bytes have arrived than fit.
     */
    async stage(arrival: Arrival, source: Readable, signal: AbortSignal) {
      try {
        return { ...(await storage.stage(source, signal, arrival.add)), arrival } satisfies Staged
      } catch (error) {
        arrival.end()
        throw error
      }
    },

    describe,
    admit: createAdmit(needs, {
      describe,
      erase: expireNow,
      isRecorded: async (key) => (await byKey(key)) !== undefined,
    }),

    find,
    /** @throws ServiceError NOT_FOUND, also for another owner's upload. */
    async remove(owner: Owner, key: string) {
      await find(owner, key)
      await eraseByKey(key)
    },
    /** Removes an upload, or what is left of one. Does not check the owner. A missing one is no error. */
    erase: eraseByKey,
    /** Finds an upload by its key. Does not check the owner. */
    lookUp: byKey,
    /** Streams exactly the recorded bytes of an upload or an output, or a range of them; `end` is inclusive. */
    open: (
      { key, size }: { key: string; size: number },
      range: { start: number; end: number } = { start: 0, end: size - 1 },
    ) => storage.open(key, range),
    /** Links for downloads from another server, if the operator wants them. */
    linkTo: storage.linkTo,

    /** Removes at most `limit` expired uploads. Resolves as `createRowSweep` says. */
    sweep: createRowSweep({
      list: (now, limit, except) => listExpiredFiles(database, now, limit, except),
      keyOf: ({ key }) => key,
      erase,
      log,
    }),
  }
}

export const noSuchFile = () =>
  new ServiceError('NOT_FOUND', 'There is no such file: it does not exist, has expired or was removed')
