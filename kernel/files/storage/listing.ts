import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { StartError } from '../../errors.ts'
import { removeBelow } from './folder.ts'
import { isMade } from './keys.ts'
import type { ListedFile, Listing } from './listed-file.ts'

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

  async function* pages(): AsyncGenerator<ListedFile[]> {
    let page: ListedFile[] = []
    for await (const key of keysBelow(root)) {
      const found = await stat(join(root, key)).catch(() => undefined)
      if (!found) continue
      // Programs can give a result the time of its source. Only the file system sets that of the last change of the
      // inode.
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

async function* keysBelow(root: string, folder = ''): AsyncGenerator<string> {
  // A running service removes empty folders.
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries.sort((one, two) => (one.name < two.name ? -1 : 1))) {
    const key = join(folder, entry.name)
    if (entry.isDirectory()) yield* keysBelow(root, key)
    else if (entry.isFile() && isMade(key)) yield key
  }
}
