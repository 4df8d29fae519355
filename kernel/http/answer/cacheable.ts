import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from '../context.ts'

/** Sends JSON that is the same for every client. */
export type SendCacheable = (ctx: Context, json: string) => Promise<void>

/** Compressed answers that are kept. Answers of the catalogue are few: the list as pages of some usual sizes. */
const KEPT = 64

/** Bytes below which compression gains nothing. */
const LEAST = 1024

const ENCODINGS = ['br', 'gzip'] as const

const COMPRESS = {
  // Half the time of the best quality, at 4 % more bytes.
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => promisify(gzip)(text),
}

/**
 * Makes a sender of answers that clients may keep and must ask about again, since an operator can close a tool at any
 * time: with a validator (RFC 9110 §8.8.3), 304 for what the client has, and compressed as the client accepts it. Each
 * text is compressed once.
 */
export function createSendCacheable(): SendCacheable {
  const compressed = new Map<string, Promise<Buffer>>()

  function compress(etag: string, encoding: 'br' | 'gzip', json: string): Promise<Buffer> {
    const key = `${etag} ${encoding}`
    let bytes = compressed.get(key)
    if (bytes) compressed.delete(key)
    else bytes = COMPRESS[encoding](json)
    // The map is ordered by use: the last one was used last.
    compressed.set(key, bytes)
    if (compressed.size > KEPT) compressed.delete(compressed.keys().next().value!)
    return bytes
  }

  return async function sendCacheable(ctx, json) {
    // A weak validator is the same for every encoding.
    const etag = `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
    ctx.status = 200
    ctx.set({ 'Cache-Control': 'no-cache', ETag: etag })
    ctx.vary('Accept-Encoding')
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
    // Clients name gzip first by habit. Brotli is smaller.
    const encoding = json.length >= LEAST && ENCODINGS.find((name) => ctx.acceptsEncodings(name))
    if (!encoding) {
      ctx.body = json
      return
    }
    ctx.set('Content-Encoding', encoding)
    ctx.body = await compress(etag, encoding, json)
  }
}
