import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Redis } from 'ioredis'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { type Service, startAthanor } from '../harness/program.ts'
import { environmentOf, type ObjectStore } from '../harness/servers/object-store.ts'
import { ask, type Belongings, upload } from './belongings.ts'

const JWT_SECRET = 'a secret that the nodes of both clusters share'
const config = {
  plans: { free: { apiKeys: 3, pendingJobs: null, conversionsPerDay: null, heavyConcurrency: null } },
  queue: { workers: 2, heavyWorkers: 1 },
}

/** Where nodes keep files. */
export interface Bucket {
  store: ObjectStore
  bucket: string
}

/** Where nodes keep what they share. */
export interface Place extends Bucket {
  /** URL of the database. */
  database: string
}

/** Returns how to start nodes. @param folder For their data folders. @param redisUrl Of the Redis that all clusters use. */
export function nodesIn(folder: string, redisUrl: string) {
  let started = 0
  /** Environment of the nodes of a cluster. */
  const environment = ({ database, store, bucket }: Place): NodeJS.ProcessEnv => ({
    ...{ DATABASE_URL: database, REDIS_URL: redisUrl, JWT_SECRET, ...environmentOf(store, bucket) },
  })

  /** Starts a node with an empty data folder. */
  async function node(t: Test, place: Place): Promise<Service & { dataDir: string }> {
    const dataDir = join(folder, `node${++started}`, 'data')
    await mkdir(dataDir, { recursive: true })
    const service = await startAthanor(dataDir, config, environment(place))
    t.teardown(() => service.end('SIGKILL'))
    return { ...service, dataDir }
  }
  return { environment, node }
}

/** Asks a database. */
export async function rows({ database }: Place, sql: string): Promise<RowDataPacket[]> {
  const connection = await mysql.createConnection(serverOf(database))
  try {
    return (await connection.query<RowDataPacket[]>(sql))[0]
  } finally {
    await connection.end()
  }
}

/** Starts a conversion. A node runs one heavy one at a time, and one light one. */
export async function start(
  { base }: Service,
  { key, file }: Pick<Belongings, 'key' | 'file'>,
  options: object,
): Promise<string> {
  const body = { fileId: file, toFormat: 'bust', options }
  return ((await (await ask(base, key, 'POST', '/api/conversions', body)).json()) as any).conversionId
}

/** Copies all objects to another bucket. */
export async function copy(from: Bucket, to: Bucket): Promise<void> {
  await to.store.send('PUT', `/${to.bucket}`)
  for (const Key of (await from.store.list(from.bucket)).stored) {
    const { Body } = await from.store.client.send(new GetObjectCommand({ Bucket: from.bucket, Key }))
    const bytes = await Body!.transformToByteArray()
    await to.store.client.send(new PutObjectCommand({ Bucket: to.bucket, Key, Body: bytes }))
  }
}

/** Registers somebody who uploads a file. */
export async function arrive({ base }: Service, name: string) {
  const account = { email: `${name}@example.org`, password: 'correct horse battery' }
  const { token: key } = (await (await ask(base, '', 'POST', '/api/auth/register', account)).json()) as any
  return { ...account, key: `${key}`, file: `${(await upload(base, key, name)).fileId}` }
}

/** Ids of the conversions that Redis holds. */
export async function jobsIn(redisUrl: string): Promise<string[]> {
  const client = new Redis(redisUrl)
  try {
    return (await client.keys('*')).flatMap((key) => /:(conv_\w+)-\d+$/.exec(key)?.[1] ?? [])
  } finally {
    client.disconnect()
  }
}
