import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { storeInFolder } from './folder.ts'
import { openIncoming } from './incoming.ts'
import type { Storage } from './storage.ts'

/** Creates storage in the data folder, for one node. It hashes nothing: the disk is this machine's own. */
export async function createLocalStorage({
  dataDir,
  freeDisk,
  reader,
}: {
  dataDir: string
  /** Free bytes below which the storage refuses new files. */
  freeDisk: number
  /** Group of the engines' user, if not the service's. It reads stored files through links in its sandbox. */
  reader?: number | undefined
}): Promise<Storage> {
  const folder = join(dataDir, 'incoming')
  // An earlier process left these uploads unfinished.
  await rm(folder, { recursive: true, force: true })
  const incoming = await openIncoming({ folder, freeDisk, reader, hashed: false })
  return {
    ...(await storeInFolder(join(dataDir, 'files'), incoming)),
    isAway: () => false,
    sweep: async () => 0,
    close: async () => {},
  }
}
