import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Makes a `fetch` that sends every request to a Unix socket. That of the platform speaks TCP only. */
export const socketFetch =
  (socketPath: string): typeof fetch =>
  (input, init) => {
    const asked = new Request(input, init)
    const { method, url, headers, body, signal } = asked
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { socketPath, method, headers: Object.fromEntries(headers), signal })
      outgoing.on('error', reject)
      outgoing.on('response', (answer) => {
        const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        )
        const status = answer.statusCode ?? 500
        const isEmpty = method === 'HEAD' || status === 204 || status === 304
        resolve(new Response(isEmpty ? null : (Readable.toWeb(answer) as never), { status, headers: pairs }))
        if (isEmpty) answer.resume()
      })
      if (body) pipeline(Readable.fromWeb(body as ReadableStream), outgoing).catch(reject)
      else outgoing.end()
    })
  }
