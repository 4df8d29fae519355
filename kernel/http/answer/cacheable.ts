import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from '../context.ts'
import { lists } from './conditional.ts'

/** Bytes below which compression gains nothing. */
const MIN_COMPRESSED = 1024

/** Best first: clients name gzip first by habit, but Brotli is smaller. */
const ENCODINGS = ['br', 'gzip'] as const

const compress = {
  // As fast as gzip, and a tenth smaller.
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
}

/**
 * Sends JSON that is the same for every client, compressed as the client accepts it. Clients may keep it and must ask
 * about it again, since an operator can close a tool at any time: it has a validator (RFC 9110 §8.8.3), and the answer
 * is 304 for what the client has.
 */
export async function sendCacheable(ctx: Context, value: object): Promise<void> {
  const json = JSON.stringify(value)
  ctx.status = 200
  ctx.type = 'application/json'
  // A weak validator is the same for every encoding.
  const etag = `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag })
  ctx.vary('Accept-Encoding')
  // Not Koa's `fresh`: `fetch` sends `no-cache` with every condition that its caller sets.
  if (lists(ctx.get('If-None-Match'), etag, 'weak')) {
    ctx.status = 304
    return
  }
  const encoding = json.length >= MIN_COMPRESSED && ENCODINGS.find((name) => ctx.acceptsEncodings(name))
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = encoding ? await compress[encoding](json) : json
}
