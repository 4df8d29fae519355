import type { Database } from '../../database/database.ts'
import { isUnavailable } from '../../database/errors.ts'
import { newId } from '../../database/ids.ts'
import { type FileRow, insertFile } from '../../database/tables/files.ts'
import type { KnownFormat } from '../../detection/hint.ts'
import { ServiceError } from '../../errors.ts'
import { expiryOf, type Owner } from '../../people/owner.ts'
import type { Arrival } from '../../people/stored-bytes.ts'
import type { FileNeeds } from '../needs.ts'
import { storageKey } from '../storage/keys.ts'
import type { StagedFile } from '../storage/storage.ts'
import { displayName, stemOf } from './display-name.ts'
import { fromRow, type StoredFile } from './stored-file.ts'

/** A received file before detection. Its bytes count as arriving until they are charged or discarded. */
export interface Staged extends StagedFile {
  arrival: Arrival
  /** The key that was promised for it. Default: a new one. */
  key?: string
}

/** The answer to an upload. */
export interface Admission {
  file: StoredFile
  detection: { extension: string; mimeType: string; category: string }
  suggestions: string[]
}

/**
 * Detects, names and records a staged file, and charges its bytes.
 * @param signal Ends the transfer to a remote storage. @param within Runs in the transaction that records the file
 * under this key, and calls `record()` once. @throws ServiceError UNSUPPORTED_FORMAT, QUOTA_EXCEEDED, the reason of the
 * signal, and what `within` throws. The file is then discarded.
 */
export type Admit = (
  owner: Owner,
  staged: Staged,
  name: string,
  signal?: AbortSignal,
  within?: (transaction: Database, key: string, record: () => Promise<void>) => Promise<void>,
) => Promise<Admission>

/** How the uploads do what admission needs. */
interface Uploads {
  describe: (file: StoredFile) => Admission
  /** Whether an upload has a record that has not expired. */
  isRecorded: (key: string) => Promise<boolean>
  /** Makes an upload expire, and removes its record and its bytes. */
  erase: (row: FileRow) => Promise<void>
}

export function createAdmit(needs: FileNeeds, { describe, isRecorded, erase }: Uploads): Admit {
  const { config, storage, catalogue, recognise, storedBytes, changes } = needs
  const isReadable = ({ extension }: KnownFormat) =>
    catalogue.formats.some((format) => format.readable && format.extension === extension)

  /** @throws ServiceError UNSUPPORTED_FORMAT. */
  async function formatOf(path: string, name: string): Promise<KnownFormat> {
    const seen = await recognise(path, name)
    const format = seen && 'extension' in seen ? catalogue.known.get(seen.extension) : undefined
    if (format && isReadable(format)) return format
    const refused = seen && 'refused' in seen ? seen.refused : undefined
    throw new ServiceError('UNSUPPORTED_FORMAT', unreadable(refused, format?.extension))
  }

  function rowOf(owner: Owner, { size, sha256, key }: Staged, name: string, format: KnownFormat): FileRow {
    const { extension, aliases = [], mime, category } = format
    const created_at = Date.now()
    const stem = stemOf(name, [extension, ...aliases])
    return {
      key: key ?? storageKey('uploads', newId(), stem, extension, created_at),
      owner: owner.id,
      name,
      mime,
      size,
      format: extension,
      category,
      created_at,
      expires_at: expiryOf({ owner: owner.id }, config, created_at),
      charged_to: owner.chargeTo.join(' '),
      sha256: sha256 ?? null,
    }
  }

  async function store(
    owner: Owner,
    staged: Staged,
    row: FileRow,
    signal: AbortSignal | undefined,
    within: Parameters<Admit>[4],
  ): Promise<void> {
    const charged = storedBytes.charge(owner, staged.size, 'file', async (transaction, take) => {
      const record = async () => {
        await insertFile(transaction, row)
        await take()
      }
      await (within ? within(transaction, row.key, record) : record())
    })
    // Write the record first: a crash in between leaves a record that expires, never bytes without a record.
    await charged.catch((error) => {
      // If only the answer was lost, the record is there. If it cannot be erased now, it expires.
      if (isUnavailable(error)) void erase(row).catch(() => {})
      throw error
    })
    try {
      await storage.keep(staged, row.key, signal)
      // Its owner may have deleted all files meanwhile, and the sweeper only erases what is there.
      if (!(await isRecorded(row.key)))
        throw new ServiceError('NOT_FOUND', 'The upload was deleted before it was complete')
    } catch (error) {
      // If the storage does not answer, the sweeper erases it.
      await erase(row).catch(() => {})
      throw error
    }
  }

  return async function admit(owner, staged, given, signal, within) {
    try {
      const name = displayName(given)
      const format = await formatOf(staged.path, name)
      const row = rowOf(owner, staged, name, format)
      await store(owner, staged, row, signal, within)
      changes.publish({ owner: owner.id })
      return describe(fromRow(row))
    } catch (error) {
      await staged.discard()
      throw error
    } finally {
      staged.arrival.end()
    }
  }
}

function unreadable(refused: string | undefined, extension: string | undefined): string {
  if (refused) return `file: ${refused}`
  if (extension) return `file: ${extension} files cannot be converted here; GET /api/formats lists formats that can`
  return 'file: its format was not recognised; GET /api/formats lists the supported formats'
}
