import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import type { Test } from 'tap'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { createKernel } from '../../kernel/boot/create-kernel.ts'
import type { Kernel } from '../../kernel/boot/kernel.ts'
import { createServer } from '../../kernel/http/server.ts'
import { logOptions } from '../../kernel/log.ts'
import { newFolder, removeFolder } from './folder.ts'
import { giveProbes, keepProbes } from './probes.ts'

/** The real service on a free port, with the stub's formats, and its log. */
export interface Service extends AsyncDisposable {
  kernel: Kernel
  base: string
  port: number
  dataDir: string
  log: Record<string, unknown>[]
}

/** Makes a database for a service. Without one, a service has SQLite in its data folder. */
let makeDatabase: (() => Promise<string>) | undefined

/** Lets each service that starts from now on use a database that this makes. */
export const useDatabases = (make: () => Promise<string>) => {
  makeDatabase = make
}

/**
 * Starts a service. `change` alters its configuration, `wrap` replaces parts of it.
 *
 * @param engines Whether it has bundled plugins, whose engines need not be probed again.
 */
export async function startService({
  env = {},
  change = () => {},
  wrap = (kernel) => kernel,
  engines = false,
}: {
  env?: Record<string, string>
  change?: (config: Config) => void
  wrap?: (kernel: Kernel) => Kernel
  engines?: boolean
} = {}): Promise<Service> {
  const dataDir = await newFolder()
  const database = await makeDatabase?.()
  const config = loadConfig({
    env: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database }), ...env },
    argv: [],
  })
  config.plugins = { [join(import.meta.dirname, '..', 'stub-plugin')]: true }
  config.shutdown.grace = 0
  // Other tests cover the sandbox. Its self-test would fail because tap hooks into child processes.
  config.sandbox = 'none'
  change(config)
  const log: Record<string, unknown>[] = []
  const sink = { write: (line: string) => void log.push(JSON.parse(line)) }
  if (engines) await giveProbes(dataDir)
  const kernel = await createKernel(config, pino(logOptions('debug'), sink))
  if (engines) await keepProbes(dataDir)
  const server = createServer(wrap(kernel))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    kernel,
    port,
    dataDir,
    log,
    base: `${config.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await kernel.close()
      await removeFolder(dataDir)
    },
  }
}

/** Starts a service that ends with the test. */
export async function serviceOf(t: Test, how?: Parameters<typeof startService>[0]): Promise<Service> {
  const service = await startService(how)
  t.teardown(() => service[Symbol.asyncDispose]())
  return service
}

export interface Reply {
  status: number
  headers: Headers
  body: Buffer
  /** Undefined if the answer is not JSON. */
  json: any
}

/** Sends one request by fetch and reads the whole answer; of a stream of events, only the beginning. */
export async function call(service: Service, method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(service.base + path, { method, redirect: 'manual', ...init })
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream')
  const body = endless ? await firstPart(response) : Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && body.length > 0
  const json = isJson ? JSON.parse(body.toString()) : undefined
  return { status: response.status, headers: response.headers, body, json }
}

async function firstPart({ body }: Response): Promise<Buffer> {
  // The loop cancels the rest.
  for await (const part of body ?? []) return Buffer.from(part)
  return Buffer.alloc(0)
}

/** What a refusal looks like, for `t.match`. */
export const refusal = (status: number, code: string, message: string | RegExp = /./) => ({
  status,
  json: { error: { code, message } },
})

export const get = (service: Service, path: string, headers: Record<string, string> = {}) =>
  call(service, 'GET', path, { headers })

const sender =
  (method: string) =>
  (service: Service, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    call(service, method, path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

/** Sends JSON, or the text of a body. */
export const post = sender('POST')
export const patch = sender('PATCH')

/** A form with one file. */
export function form(bytes: string | Uint8Array<ArrayBuffer>, name = 'note.stub', field = 'file'): FormData {
  const body = new FormData()
  body.append(field, new Blob([bytes]), name)
  return body
}

export const STUB = 'STUB\nOnce upon a time.'

export const upload = (service: Service, body: FormData = form(STUB), headers: Record<string, string> = {}) =>
  call(service, 'POST', '/api/uploads', { body, headers })

/** Uploads a stub and starts its conversion. */
export async function start(service: Service, more: object = {}, headers: Record<string, string> = {}, text = STUB) {
  const { file } = (await upload(service, form(text), headers)).json
  const started = await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', ...more }, headers)
  return { file, started, id: started.json.conversionId as string }
}

/** Uploads a stub and starts a batch of it: a conversion for each of these changes of an entry. */
export async function startBatch(service: Service, entries: readonly object[], headers: Record<string, string> = {}) {
  const { file } = (await upload(service, form(STUB), headers)).json
  const item = { fileId: file.fileId, fileName: 'a.stub', fileSize: file.size, fromFormat: 'stub' }
  const files = entries.map((more) => ({ ...item, ...more }))
  const started = await post(service, '/api/conversions/batch', { files, toFormat: 'bust' }, headers)
  return { file, started, ...(started.json as { batchId: string; conversions: any[] }) }
}

/** Waits for a conversion's end and returns its record. */
export async function finish(service: Service, id: string, headers: Record<string, string> = {}): Promise<any> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status, json } = await get(service, `/api/conversions/${id}?wait=30`, headers)
    if (status !== 200) throw new Error(`${id}: ${status} ${JSON.stringify(json)}`)
    if (['completed', 'failed'].includes(json.conversion.status)) return json.conversion
  }
  throw new Error(`${id} did not end`)
}

/** Uploads a stub and converts it. `conversion` is the final record. */
export async function convert(service: Service, more: object = {}, headers: Record<string, string> = {}, text = STUB) {
  const { file, id } = await start(service, more, headers, text)
  const conversion = await finish(service, id, headers)
  return { file, conversion, download: conversion.outputUrl && pathOf(conversion.outputUrl) }
}

/** Returns the number of uploads and results on the disk. */
export const storedFiles = async ({ dataDir }: Service): Promise<number> =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    .length

/** Returns the path and query of an absolute URL. */
export const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

/** Whether an answer has as many bytes as its Content-Length says. */
function isWhole(text: string): boolean {
  const final = text.slice(Math.max(0, text.search(/HTTP\/1\.1 [2-5]/)))
  const [head = '', body] = final.split('\r\n\r\n')
  return (
    body !== undefined && body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
  )
}

export interface RawReply {
  status: number
  head: string
  text: string
  json: any
}

/** Sends raw bytes, and reads one whole answer. Numbers in the list are pauses in milliseconds. */
export async function raw(port: number, ...parts: (string | Buffer | number)[]): Promise<RawReply> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  socket
    .on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString('latin1'))) resolve()
    })
    .on('error', () => {})
    .once('close', () => resolve())
  await once(socket, 'connect')
  for (const part of parts) {
    if (typeof part === 'number') await setTimeout(part)
    else if (!socket.destroyed) socket.write(part)
  }
  await answered
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const whole = body.slice(0, Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0))
  const json = whole.startsWith('{') ? JSON.parse(whole) : undefined
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text, head, json }
}
