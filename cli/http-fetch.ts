import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** An import would run what it exports of the platform's `fetch`, and so load that. */
const http = process.getBuiltinModule('node:http')

/**
 * Makes a `fetch` from Node's own client of HTTP. It loads in a third of the time of the platform's `fetch`, which a
 * short command would notice, and it speaks to Unix sockets. It knows what the client library sends and reads.
 *
 * @param socketPath Sends every request there, whatever host its URL names.
 */
export const httpFetch =
  (socketPath?: string): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(String(input))
    const { method = 'GET', headers, body, signal } = init
    signal?.throwIfAborted()
    const { request } = url.protocol === 'https:' ? await import('node:https') : http
    return new Promise((resolve, reject) => {
      const outgoing = request(url, {
        method,
        headers: headers as Record<string, string>,
        ...(socketPath !== undefined && { socketPath }),
        ...(signal && { signal }),
      })
      outgoing.on('error', reject)
      outgoing.on('response', (answer) => resolve(responseOf(answer) as Response))
      if (body instanceof Blob) {
        outgoing.setHeader('content-length', body.size)
        pipeline(Readable.fromWeb(body.stream() as ReadableStream), outgoing).catch(reject)
      } else outgoing.end(body)
    })
  }

const responseOf = (answer: IncomingMessage): Partial<Response> => {
  const { statusCode: status = 0, headers } = answer
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name.toLowerCase()]?.toString() ?? null } as Headers,
    text: () => text(answer),
    get body() {
      return Readable.toWeb(answer) as Response['body']
    },
  }
}
