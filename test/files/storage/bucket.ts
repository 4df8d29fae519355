/** A bucket of an S3 server, behind a proxy that breaks what tests tell it to. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import type { Test } from 'tap'
import type { Timeouts } from '../../../kernel/files/storage/s3/client.ts'
import { createS3Storage } from '../../../kernel/files/storage/s3/s3.ts'
import type { Storage } from '../../../kernel/files/storage/storage.ts'
import { newFolder, removeFolder } from '../../harness/folder.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../harness/servers/faulty-proxy.ts'
import { type ObjectStore, startObjectStore } from '../../harness/servers/object-store.ts'
import { type Driver, filesBelow } from './drivers.ts'

/** Short waits, so that tests of broken servers are quick. */
const HASTY: Timeouts = { attempts: 2, connect: 3000, idle: 3000, request: 20_000 }

/** A bucket. The storage reaches it through the proxy, the test itself does not. */
async function s3Driver(
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

/** Longer than a test may take, so what ends has not waited for the server. */
export const PATIENT: Timeouts = { attempts: 2, connect: 3_600_000, idle: 3_600_000, request: 3_600_000 }

/** Starts the server, the proxy and the driver, which end with the tests. Each test begins without faults. */
export async function bucketOf(t: Test) {
  const server = await startObjectStore()
  const proxy = await startFaultyProxy(server.endpoint)
  const driver = await s3Driver(server, proxy)
  t.teardown(async () => {
    for (const part of [driver, proxy, server]) await part[Symbol.asyncDispose]()
  })
  t.beforeEach(() => {
    proxy.fault = () => undefined
    proxy.seen.length = 0
  })
  /** Breaks the first `times` requests that match. */
  function breaking(pattern: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
    let left = times
    proxy.fault = ({ method, url }) => (pattern.test(`${method} ${url}`) && left-- > 0 ? fault : undefined)
  }
  const url = `s3://${driver.bucket}/some/where?endpoint=${proxy.endpoint}&region=${server.region}`
  return { driver, proxy, breaking, url }
}
