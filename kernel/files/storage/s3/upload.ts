import { type FileHandle, open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import { tooShort } from '../file-stream.ts'
import { isMissing, type SendRequest } from './client.ts'

/** Bytes of a part, at least. A larger file has larger parts, because a server accepts at most 10,000. */
const PART = 8 * 1024 ** 2
const MAX_PARTS = 10_000
/** Parts of all uploads that are in memory at the same time. */
const PARALLEL = 6
/** Parts of one upload that are sent at the same time. The next one queues behind the other uploads. */
const LANES = 3
/** Milliseconds that cleaning up may take. The sweep removes the rest. */
const CLEANING = 10_000

/** Servers must not show it as a page. */
const ContentType = 'application/octet-stream'

/**
 * Creates the functions that bring files to a bucket. They are written here and not taken from @aws-sdk/lib-storage,
 * because that one does not cancel requests under way: after an abort, an object could still appear.
 */
export function createUploads(client: S3Client, request: SendRequest, Bucket: string) {
  const parts = pLimit(PARALLEL)

  /** Uploads a local file. After an error or an abort, no incomplete upload is left, if the server answers. */
  async function put(path: string, size: number, Key: string, signal?: AbortSignal): Promise<void> {
    await using file = await open(path)
    // The file stays open until all parts are sent.
    if (size > PART) return await putParts(file, size, Key, signal)
    await parts(async () => {
      const command = new PutObjectCommand({ Bucket, Key, Body: await readPart(file, 0, size), ContentType })
      await request('PutObject', (abortSignal) => client.send(command, { abortSignal }), signal)
    })
  }

  async function putParts(file: FileHandle, size: number, Key: string, signal?: AbortSignal): Promise<void> {
    const create = new CreateMultipartUploadCommand({ Bucket, Key, ContentType })
    const { UploadId } = await request(
      'CreateMultipartUpload',
      (abortSignal) => client.send(create, { abortSignal }),
      signal,
    )
    const failed = new AbortController()
    const stop = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
    const length = Math.max(PART, Math.ceil(size / MAX_PARTS))

    async function putPart(index: number) {
      stop.throwIfAborted()
      const Body = await readPart(file, index * length, Math.min(length, size - index * length))
      const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: index + 1, Body })
      const { ETag } = await request('UploadPart', (abortSignal) => client.send(part, { abortSignal }), stop)
      return { PartNumber: index + 1, ETag }
    }

    const Parts: Awaited<ReturnType<typeof putPart>>[] = new Array(Math.ceil(size / length))
    let next = 0
    async function sendOneByOne() {
      for (let index = next++; index < Parts.length; index = next++) Parts[index] = await parts(() => putPart(index))
    }
    const sent = Array.from({ length: LANES }, sendOneByOne)
    try {
      await Promise.all(sent)
      const MultipartUpload = { Parts }
      await complete({ Bucket, Key, UploadId, MultipartUpload }, size, signal)
    } catch (error) {
      failed.abort()
      await Promise.allSettled(sent)
      await abort(Key, UploadId).catch(() => {})
      throw error
    }
  }

  async function complete(
    input: CompleteMultipartUploadCommand['input'],
    size: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const command = new CompleteMultipartUploadCommand(input)
    try {
      await request('CompleteMultipartUpload', (abortSignal) => client.send(command, { abortSignal }), signal)
    } catch (error) {
      // An earlier attempt can have completed it, and its answer was lost.
      if (!isMissing(error)) throw error
      const head = new HeadObjectCommand({ Bucket, Key: input.Key })
      const { ContentLength } = await request('HeadObject', (abortSignal) => client.send(head, { abortSignal }), signal)
      if (ContentLength !== size) throw tooShort()
    }
  }

  /** Resolves to whether there was such an upload. */
  async function abort(Key: string | undefined, UploadId: string | undefined): Promise<boolean> {
    const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
    const limit = AbortSignal.timeout(CLEANING)
    const aborted = request('AbortMultipartUpload', (abortSignal) => client.send(command, { abortSignal }), limit)
    return aborted.then(
      () => true,
      (error) => {
        if (isMissing(error)) return false
        throw error
      },
    )
  }

  /** Aborts at most `limit` incomplete uploads that began before a time. Resolves to their number. */
  async function sweep(Prefix: string, before: number, limit: number): Promise<number> {
    let aborted = 0
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
    for (;;) {
      const list = new ListMultipartUploadsCommand({ Bucket, Prefix, ...next })
      const page = await request('ListMultipartUploads', (abortSignal) => client.send(list, { abortSignal }))
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated.getTime() > before) continue
        if (aborted >= limit) return aborted
        if (await abort(Key, UploadId)) aborted++
      }
      if (!page.IsTruncated || !page.NextKeyMarker) return aborted
      next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
    }
  }

  return { put, sweep }
}

/** Reads one part of a file into memory, so that the SDK can send it again. */
async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(part, filled, length - filled, start + filled)
    if (!bytesRead) throw tooShort()
    filled += bytesRead
  }
  return part
}
