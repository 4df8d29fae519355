import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { createLocalStorage } from '../../../kernel/files/storage/local.ts'
import type { Timeouts } from '../../../kernel/files/storage/s3/client.ts'
import { createS3Storage } from '../../../kernel/files/storage/s3/s3.ts'
import { createSharedStorage } from '../../../kernel/files/storage/shared-folder.ts'
import type { Storage } from '../../../kernel/files/storage/storage.ts'
import { newFolder, removeFolder } from '../../harness/folder.ts'
import type { FaultyProxy } from '../../harness/servers/faulty-proxy.ts'
import type { ObjectStore } from '../../harness/servers/object-store.ts'

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

const filesBelow = async (folder: string) => {
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

/** Short waits, so that tests of broken servers are quick. */
const HASTY: Timeouts = { attempts: 2, connect: 3000, idle: 3000, request: 20_000 }

/** A bucket. The storage reaches it through the proxy, the test itself does not. */
export async function s3Driver(
  store: ObjectStore,
  proxy: FaultyProxy,
): Promise<Driver & { client: S3Client; bucket: string; log: string[] }> {
  const bucket = `b-${randomUUID()}`
  await store.send('PUT', `/${bucket}`)
  const { region, accessKeyId, secretAccessKey, client } = store
  process.env.AWS_ACCESS_KEY_ID = accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey
  const folders: string[] = []
  const opened: Storage[] = []
  const log: string[] = []
  const prefix = 'some/where/'
  return {
    name: 'a bucket',
    client,
    bucket,
    log,
    async open({ freeDisk = 0, cacheSize = 100_000_000, abandoned, links = false, timeouts = HASTY } = {}) {
      const dataDir = await newFolder()
      folders.push(dataDir)
      const storage = await createS3Storage({
        place: { driver: 's3', bucket, prefix, endpoint: proxy.endpoint, region },

        dataDir,
        freeDisk,
        cacheSize,
        links,
        timeouts,
        log: pino({}, { write: (line: string) => void log.push(line) }),
        ...(abandoned !== undefined && { abandoned }),
      })
      opened.push(storage)
      return storage
    },
    async place(key, Body) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + key, Body }))
    },
    async list() {
      const { stored, uploads } = await store.list(bucket)
      const below = async (name: string) =>
        (await Promise.all(folders.map((folder) => filesBelow(join(folder, name))))).flat()
      return {
        stored: stored.map((key) => key.slice(prefix.length)),
        staged: await below('incoming'),
        cached: await below('cache'),
        uploads,
      }
    },
    async [Symbol.asyncDispose]() {
      for (const storage of opened) await storage.close()
      for (const folder of folders) await removeFolder(folder)
    },
  }
}
