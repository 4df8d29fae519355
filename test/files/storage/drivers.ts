import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createLocalStorage } from '../../../kernel/files/storage/local.ts'
import type { Timeouts } from '../../../kernel/files/storage/s3/client.ts'
import { createSharedStorage } from '../../../kernel/files/storage/shared-folder.ts'
import type { Storage } from '../../../kernel/files/storage/storage.ts'
import { newFolder, removeFolder } from '../../harness/folder.ts'

/** Changes to the settings of a storage. */
export interface Settings {
  freeDisk?: number
  cacheSize?: number
  abandoned?: number
  links?: boolean
  /** Of a bucket only. */
  timeouts?: Timeouts
}

/** A place for stored files, with ways around the service. */
export interface Driver extends AsyncDisposable {
  name: string
  /** Opens a node's storage. Nodes of a remote place have folders of their own. */
  open(settings?: Settings): Promise<Storage>
  /** Puts bytes at a key without the storage. */
  place(key: string, bytes: Buffer): Promise<void>
  /** Lists all that lies around: stored files by key, staged and cached files, incomplete uploads. */
  list(): Promise<{ stored: string[]; staged: string[]; cached: string[]; uploads: string[] }>
}

export const filesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** What the two drivers with a folder of their own share. */
const inFolder = (folder: string): Pick<Driver, 'place' | 'list'> => {
  const files = join(folder, 'files')
  return {
    async place(key, bytes) {
      await mkdir(dirname(join(files, key)), { recursive: true })
      await writeFile(join(files, key), bytes)
    },
    list: async () => ({
      stored: (await filesBelow(files)).map((path) => path.slice(files.length + 1)),
      staged: await filesBelow(join(folder, 'incoming')),
      cached: [],
      uploads: [],
    }),
  }
}

export async function localDriver(): Promise<Driver> {
  const dataDir = await newFolder()
  return {
    name: 'the data folder',
    open: ({ freeDisk = 0 } = {}) => createLocalStorage({ dataDir, freeDisk }),
    ...inFolder(dataDir),
    [Symbol.asyncDispose]: () => removeFolder(dataDir),
  }
}

export async function sharedDriver(): Promise<Driver> {
  const folder = await newFolder()
  const opened: Storage[] = []
  return {
    name: 'a shared folder',
    async open({ freeDisk = 0, abandoned } = {}) {
      const storage = await createSharedStorage({ folder, freeDisk, ...(abandoned !== undefined && { abandoned }) })
      opened.push(storage)
      return storage
    },
    ...inFolder(folder),
    async [Symbol.asyncDispose]() {
      for (const storage of opened) await storage.close()
      await removeFolder(folder)
    },
  }
}
