import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { storageAway } from '../../../errors.ts'
import { tooShort } from '../file-stream.ts'
import { differs } from '../folder.ts'
import { READ } from '../storage.ts'
import { type SendRequest, statusOf } from './client.ts'

/** Milliseconds before a broken download is resumed for the first time. */
const PAUSE = 100

/**
 * Streams bytes of an object; `end` is inclusive. A broken answer is resumed where it ended, as often as it brings new
 * bytes: a server may close connections of slow readers.
 *
 * @param attempts Answers in a row without new bytes after which the stream fails.
 * @param size Bytes that the object must have. Undefined: any.
 */
export function readObject(
  { client, request, attempts }: { client: S3Client; request: SendRequest; attempts: number },
  object: { Bucket: string; Key: string },
  { start, end }: { start: number; end: number },
  size?: number,
): Readable {
  const output = new PassThrough({ highWaterMark: READ })
  const gone = new AbortController()
  output.once('close', () => gone.abort())
  let at = start

  async function getRest(): Promise<void> {
    const get = new GetObjectCommand({ ...object, Range: `bytes=${at}-${end}` })
    const { Body, ContentRange } = await request(
      'GetObject',
      (abortSignal) => client.send(get, { abortSignal }),
      gone.signal,
    )
    const body = Body as Readable
    const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '')?.map(Number) ?? []
    if (from !== at || to !== end || (size !== undefined && total !== size)) {
      body.destroy()
      throw Object.assign(size === undefined ? tooShort() : differs('size'), { final: true })
    }
    for await (const chunk of body as AsyncIterable<Buffer>) {
      at += chunk.length
      if (!output.write(chunk)) await once(output, 'drain', { signal: gone.signal })
    }
  }

  async function getAll(): Promise<void> {
    let before = at
    for (let failed = 0; at <= end; ) {
      try {
        await getRest()
      } catch (error) {
        if (gone.signal.aborted || isFinal(error)) throw error
      }
      if (at > end) break
      failed = at > before ? 1 : failed + 1
      before = at
      if (failed >= attempts) throw storageAway(new Error('GetObject: the answer ends too early'))
      await delay(PAUSE * 2 ** failed, undefined, { signal: gone.signal })
    }
    output.end()
  }

  getAll().catch((error) => output.destroy(gone.signal.aborted ? undefined : error))
  return output
}

/** Whether another attempt is pointless: the SDK has made some, or the object is not as it must be. */
function isFinal(error: unknown): boolean {
  const { code, final } = error as { code?: unknown; final?: boolean }
  return final === true || code === 'ENOENT' || code === 'NOT_READY' || statusOf(error) !== undefined
}
