import type { ServerResponse } from 'node:http'
import { orAborted } from '../../files/storage/or-aborted.ts'
import type { FileStream } from '../../files/storage/storage.ts'
import type { Context } from '../context.ts'

/**
 * Sends a file as the body, and gives its chunks back when the operating system has them. The headers, with the length,
 * are set already.
 *
 * @param gone Aborts when the client goes away: Node never tells what became of a chunk for a connection that is
 * closed.
 * @throws what the stream fails with; the reason of `gone`.
 */
export async function sendStream(ctx: Context, stream: FileStream, gone: AbortSignal): Promise<void> {
  // Koa would pipe it, and nobody would know when a chunk is no longer needed.
  ctx.respond = false
  const { res } = ctx
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await orAborted(written(res, chunk), gone)
    stream.giveBack?.(chunk)
  }
  res.end()
}

const written = (res: ServerResponse, chunk: Buffer) =>
  new Promise<void>((resolve, reject) => {
    res.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
