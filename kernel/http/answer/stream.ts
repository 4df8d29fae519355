import type { ServerResponse } from 'node:http'
import type { FileStream } from '../../storage/storage.ts'
import type { Context } from '../context.ts'

/**
 * Sends a file as the body, and gives its chunks back when the operating system has them. The headers, with the length,
 * are set already. @throws what the stream fails with, also when the client has gone away.
 */
export async function sendStream(ctx: Context, stream: FileStream): Promise<void> {
  // Koa would pipe it, and nobody would know when a chunk is no longer needed.
  ctx.respond = false
  const { res } = ctx
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await written(res, chunk)
    stream.giveBack?.(chunk)
  }
  res.end()
}

const written = (res: ServerResponse, chunk: Buffer) =>
  new Promise<void>((resolve, reject) => {
    res.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
