import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import http from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'

/** Connections that clients keep open and share. */
const agent = () => new http.Agent({ keepAlive: true, maxSockets: 256 })

/**
 * A client on the same machine that keeps its connections open.
 *
 * @param guest The fingerprint of a guest. Clients with different ones are different owners.
 */
export function createClient(base: string, guest?: string, connections = agent()) {
  const as = guest === undefined ? {} : { 'x-guest-fingerprint': guest }

  const request = (method: string, path: string, headers: http.OutgoingHttpHeaders = {}) =>
    http.request(base + path, { method, headers: { ...headers, ...as }, agent: connections })

  async function answer(message: http.ClientRequest): Promise<{ status: number; body: Buffer }> {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
      message.on('response', resolve).on('error', reject),
    )
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode!, body: Buffer.concat(chunks) }
  }

  async function json(method: string, path: string, body?: object): Promise<any> {
    const message = request(method, path, body && { 'content-type': 'application/json' })
    message.end(body && JSON.stringify(body))
    const { status, body: bytes } = await answer(message)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${bytes}`)
    return JSON.parse(bytes.toString())
  }

  return {
    json,
    /** Another owner, on the same connections. */
    guest: (name: string = randomUUID()) => createClient(base, name, connections),
    close: () => connections.destroy(),
    /** Streams a file as multipart; resolves to the answer. @param target The path. */
    async upload(path: string, target = '/api/uploads'): Promise<any> {
      const boundary = randomUUID()
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${basename(path)}"\r\nContent-Type: application/octet-stream\r\n\r\n`
      const tail = `\r\n--${boundary}--\r\n`
      const { size } = await stat(path)
      const message = request('POST', target, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + size + tail.length,
      })
      const answered = answer(message)
      message.write(head)
      await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), message, { end: false })
      message.end(tail)
      const { status, body } = await answered
      if (status >= 300) throw new Error(`upload: ${status} ${body}`)
      return JSON.parse(body.toString())
    },
    /** Uploads bytes under a name; resolves to the answer. */
    async uploadBytes(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<any> {
      const body = new FormData()
      body.append('file', new Blob([bytes]), name)
      const response = await fetch(`${base}/api/uploads`, { method: 'POST', body })
      if (response.status !== 201) throw new Error(`upload: ${response.status} ${await response.text()}`)
      return response.json()
    },
    /** Sends a file as the whole body. */
    async pipe(path: string, target: string): Promise<void> {
      const message = request('POST', target, { 'content-length': (await stat(path)).size })
      const answered = answer(message)
      await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), message)
      await answered
    },
    /** Reads an answer to its end and discards the bytes; resolves to their number. */
    async drain(url: string, method = 'GET'): Promise<number> {
      const { pathname, search } = new URL(url, base)
      const message = request(method, pathname + search)
      message.end()
      const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
        message.on('response', resolve).on('error', reject),
      )
      let size = 0
      for await (const chunk of response) size += chunk.length
      return size
    },
    /** Converts an uploaded file and waits for the end, without polling intervals. */
    async convert(fileId: string, toFormat: string, options: object = {}, jobIntent?: 'transform'): Promise<any> {
      const { conversionId } = await json('POST', '/api/conversions', { fileId, toFormat, options, jobIntent })
      const { conversion } = await json('GET', `/api/conversions/${conversionId}?wait=30`)
      if (conversion.status === 'failed') throw new Error(`conversion failed: ${JSON.stringify(conversion.error)}`)
      return conversion.status === 'completed' ? conversion : this.finish(conversionId)
    },
    async finish(id: string): Promise<any> {
      for (;;) {
        const { conversion } = await json('GET', `/api/conversions/${id}?wait=30`)
        if (conversion.status === 'completed') return conversion
        if (conversion.status === 'failed') throw new Error(`conversion failed: ${JSON.stringify(conversion.error)}`)
      }
    },
  }
}

/** Measures requests per second by wrk (Debian: wrk), one thread and 8 connections. @param seconds Whole ones. */
export async function load(url: string, seconds: number): Promise<number> {
  const { stdout } = await execa('wrk', ['-t1', '-c8', `-d${seconds}s`, url])
  if (/Non-2xx/.test(stdout)) throw new Error(`wrk: ${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1])
}
