import { opendir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { removeBelow } from './folder.ts'
import { AREAS, isMade } from './keys.ts'
import type { Listing, StoredFile } from './stored.ts'

/** @throws StartError if the storage does not exist. */
export async function openListing({ storagePlace: place, dataDir }: Config): Promise<Listing> {
  if (place?.driver !== 's3') return listFolder(join(place?.folder ?? dataDir, 'files'))
  const { listBucket } = await import('./s3/list.ts')
  return listBucket(place)
}

const PAGE = 1000

async function listFolder(root: string): Promise<Listing> {
  // A share that is not mounted must be noticed.
  await stat(root).catch((cause) => {
    throw new StartError(`${root} cannot be read (${cause.code}).`, { cause })
  })

  async function* pages(): AsyncGenerator<StoredFile[]> {
    let page: StoredFile[] = []
    for await (const key of keysBelow(root)) {
      const found = await stat(join(root, key)).catch(() => undefined)
      if (!found) continue
      // Programs can give a result the time of its source. Only the file system sets that of the last change of the inode.
      page.push({ key, size: found.size, storedAt: Math.max(found.mtimeMs, found.ctimeMs) })
      if (page.length === PAGE) {
        yield page
        page = []
      }
    }
    yield page
  }

  return { pages, remove: (key) => removeBelow(root, key), [Symbol.dispose]() {} }
}

async function* keysBelow(root: string): AsyncGenerator<string> {
  for (const area of AREAS) {
    const folder = await opendir(join(root, area), { recursive: true }).catch(() => undefined)
    if (!folder) continue
    for await (const entry of folder) {
      const key = relative(root, join(entry.parentPath, entry.name))
      if (entry.isFile() && isMade(key)) yield key
    }
  }
}
