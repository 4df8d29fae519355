import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { DeleteObjectCommand, HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import type { Logger } from 'pino'
import { freeBytes } from '../../../disk-space.ts'
import { ABANDONED, hourly } from '../abandoned.ts'
import { openCache } from '../cache.ts'
import { openLocal } from '../file-stream.ts'
import { differs } from '../folder.ts'
import { asServiceError, openIncoming } from '../incoming.ts'
import type { Recorded, Storage } from '../storage.ts'
import {
  type Bucket,
  createRequest,
  createS3Client,
  isMissing,
  requireBucket,
  TIMEOUTS,
  type Timeouts,
} from './client.ts'
import { readObject } from './read.ts'
import { createUploads } from './upload.ts'

/** Milliseconds for which a bucket that answered counts as reachable: each start of a conversion asks. */
const FRESH = 5000
/** Milliseconds that the check may take. Readiness waits at most 2 seconds. */
const CHECK = 1500
/** Milliseconds that removing the object of a broken upload may take. */
const CLEANING = 10_000

interface S3Options {
  place: Bucket
  dataDir: string
  freeDisk: number
  reader?: number | undefined
  /** Bytes. */
  cacheSize: number
  /** Whether `linkTo` is offered. */
  links: boolean
  log: Logger
  timeouts?: Timeouts
  /** Milliseconds after which incomplete uploads are swept. */
  abandoned?: number
}

/**
 * Creates storage in a bucket. Files are received in the data folder, where their format is detected, and then
 * uploaded. They stay in a cache there, as conversions need local files.
 *
 * @throws StartError if the server refuses the bucket or the credentials. A server that does not answer is only logged.
 */
export async function createS3Storage({
  place,
  dataDir,
  freeDisk,
  reader,
  cacheSize,
  links,
  log,
  timeouts = TIMEOUTS,
  abandoned = ABANDONED,
}: S3Options): Promise<Storage> {
  const { bucket: Bucket, prefix } = place
  const client = createS3Client(place, timeouts)
  const request = createRequest(log)
  const reading = { client, request, attempts: timeouts.attempts }
  const uploads = createUploads(client, request, Bucket)
  const objectOf = (key: string) => ({ Bucket, Key: prefix + key })
  await requireBucket(client, place, log)
  const folder = join(dataDir, 'incoming')
  // An earlier process left these uploads unfinished.
  await rm(folder, { recursive: true, force: true })
  const cache = await openCache({
    folder: join(dataDir, 'cache'),
    max: cacheSize,
    free: () => freeBytes(dataDir),
    freeDisk,
  })
  const hasDisk = () => cache.makeRoom(0)
  const incoming = await openIncoming({ folder, freeDisk, reader, hashed: true, hasRoom: hasDisk })

  async function upload(path: string, recorded: Recorded, key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    try {
      await uploads.put(path, recorded.size, prefix + key, signal)
    } catch (error) {
      // The server can have stored it before the answer was lost.
      await remove(key, AbortSignal.timeout(CLEANING)).catch(() => {})
      throw error
    }
    // Without its copy here, a conversion fetches it again.
    await cache.put(key, path, recorded).catch(() => rm(path, { force: true }))
  }

  async function remove(key: string, signal?: AbortSignal): Promise<void> {
    await cache.remove(key)
    // One by one: DeleteObjects needs a checksum that not all servers know.
    const command = new DeleteObjectCommand(objectOf(key))
    await request('DeleteObject', (abortSignal) => client.send(command, { abortSignal }), signal).catch((error) => {
      if (!isMissing(error)) throw error
    })
  }

  /** Fetches an object into the cache. @throws Error if it differs from its record. */
  const load = (key: string, { size, sha256 }: Recorded) =>
    async function loadTo(path: string): Promise<Recorded> {
      const hash = createHash('sha256')
      const hashing = new Transform({
        transform(chunk, _encoding, done) {
          hash.update(chunk)
          done(null, chunk)
        },
      })
      const source = readObject(reading, objectOf(key), { start: 0, end: size - 1 }, size)
      try {
        await pipeline(source, hashing, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        throw asServiceError(error)
      }
      const found = hash.digest('hex')
      if (sha256 && found !== sha256) throw differs('SHA-256')
      await incoming.own(path)
      return { size, sha256: found }
    }

  let reachable: Promise<unknown> | undefined
  let asked = 0
  function requireReachable(): Promise<unknown> {
    if (reachable && performance.now() - asked < FRESH) return reachable
    asked = performance.now()
    const command = new HeadBucketCommand({ Bucket })
    const headBucket = (abortSignal: AbortSignal) =>
      client.send(command, { abortSignal: AbortSignal.any([abortSignal, AbortSignal.timeout(CHECK)]) })
    reachable = request('HeadBucket', headBucket)
    reachable.catch(() => (reachable = undefined))
    return reachable
  }

  return {
    stage: incoming.stage,
    adopt: incoming.adopt,
    keep: (staged, key, signal) => upload(staged.path, { size: staged.size, sha256: staged.sha256 }, key, signal),
    async publish(path, key, signal) {
      await incoming.own(path)
      const { size } = await stat(path)
      await upload(path, { size }, key, signal)
    },
    async checkOut(key, recorded, signal) {
      const { path, recorded: found, release } = await cache.fetch(key, recorded.size, load(key, recorded), signal)
      const field = fieldThatDiffers(found, recorded)
      if (!field) return { path, [Symbol.asyncDispose]: release }
      await release()
      throw differs(field)
    },
    open(key, range) {
      const cached = cache.use(key)
      if (!cached) return readObject(reading, objectOf(key), range)
      return openLocal(cached.path, range).once('close', () => void cached.release())
    },
    async list(keyPrefix) {
      const found: { key: string; size: number }[] = []
      let next: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix + keyPrefix, ContinuationToken: next })
        const page = await request('ListObjectsV2', (abortSignal) => client.send(command, { abortSignal }))
        // biome-ignore lint/style/noNonNullAssertion: servers send both of each object.
        for (const { Key, Size } of page.Contents ?? []) found.push({ key: Key!.slice(prefix.length), size: Size! })
        next = page.NextContinuationToken
      } while (next)
      return found
    },
    remove: (key) => remove(key),
    async hasRoom() {
      await requireReachable()
      return hasDisk()
    },
    isAway: request.isAway,
    sweep: hourly((now, limit) => uploads.sweep(prefix, now - abandoned, limit)),
    ...(links && { linkTo: createLinkTo(client, place) }),
    close: async () => client.destroy(),
  }
}

/** A hash counts only if both are known: results have none. */
function fieldThatDiffers(found: Recorded, { size, sha256 }: Recorded): 'size' | 'SHA-256' | undefined {
  if (found.size !== size) return 'size'
  return sha256 && found.sha256 && sha256 !== found.sha256 ? 'SHA-256' : undefined
}

/** Seconds for which a link is valid. */
const LIFETIME = 60

/** Creates links for one object that need no credential. Browsers save the answer and never show it. */
function createLinkTo(client: S3Client, { bucket, prefix, endpoint }: Bucket) {
  return async function linkTo(key: string, disposition: string): Promise<string> {
    const [credentials, region] = await Promise.all([client.config.credentials(), client.config.region()])
    const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
    const query = new URLSearchParams({
      'X-Amz-Expires': String(LIFETIME),
      'response-content-type': 'application/octet-stream',
      'response-content-disposition': disposition,
      'response-cache-control': 'private, no-store',
    })
    // aws4 signs `+` as a space. A server that reads it as a plus would compute another signature.
    const path = `/${bucket}/${prefix}${key}?${query.toString().replaceAll('+', '%20')}`
    const signed = aws4.sign(
      { service: 's3', region, signQuery: true, method: 'GET', host: base.host, path },
      credentials,
    )
    return base.origin + signed.path
  }
}
