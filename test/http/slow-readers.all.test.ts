/** Clients that read slowly, in large numbers, or request more than they read: real sockets, a separate service process. */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { within } from '../fixtures/within.ts'
import { startStub } from '../start/program.ts'

const SIZE = 12_000_000
const PLANS = 'plans: { guest: { conversionsPerDay: null, bytesPerDay: null } }'

/** A service in a separate process, with a result of 12 MB. */
async function serve(t: Test, http: string) {
  const folder = mkdtempSync(join(tmpdir(), 'athanor-slow-'))
  // The user that engines run as must be able to enter it.
  chmodSync(folder, 0o711)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = { NODE_OPTIONS: '--max-semi-space-size=2', MALLOC_ARENA_MAX: '1' }
  const service = startStub(t, join(folder, 'data'), { env, yaml: `${PLANS}\nhttp: { ${http} }` })
  const base = await service.ready()
  const form = new FormData()
  form.append('file', new Blob([`STUB\n${'x'.repeat(SIZE - 5)}`]), 'a.stub')
  const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
  const started = await fetch(`${base}/api/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fileId: file.fileId, toFormat: 'bust' }),
  })
  const { conversionId } = (await started.json()) as any
  const { conversion } = (await (await fetch(`${base}/api/conversions/${conversionId}?wait=30`)).json()) as any
  const { pathname, search, port } = new URL(conversion.outputUrl)
  return { pid: service.pid, base, port: Number(port), url: conversion.outputUrl as string, path: pathname + search }
}
type Served = Awaited<ReturnType<typeof serve>>

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Opens a connection that sends this and reads nothing by itself. */
async function ask({ port }: Served, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
  socket.pause().write(text)
  return socket
}

/** Returns the number of stored results that the service has open. */
function openResults({ pid }: Served): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.endsWith('.bust')).length
}

/** Returns the number of the service's connections with clients. */
function connections({ pid }: Served): number {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

const memory = ({ pid }: Served) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

t.test('200 slow readers need little memory; their connections and files are closed', async (t) => {
  const service = await serve(t, 'downloads: 1000, downloadPace: 5KB, downloadGrace: 10s, idleTimeout: 10m')
  await (await fetch(service.url)).arrayBuffer()
  const [before, idle] = [memory(service), connections(service)]
  const readers = await Promise.all(Array.from({ length: 200 }, () => ask(service, request(service.path))))
  // Some read nothing, others 1 kB at intervals.
  const sipping = setInterval(() => {
    for (const reader of readers.slice(0, 100)) reader.read(1000)
  }, 1000)
  t.teardown(() => clearInterval(sipping))
  t.ok(await within(45_000, () => openResults(service) === 200), 'all of them have begun')
  await delay(2000)
  const more = memory(service) - before
  t.comment(`${Math.round(before)} MB, and ${Math.round(more)} MB for 200 slow readers`)
  t.ok(more < 220, `${Math.round(more)} MB more`)
  t.ok(await within(150_000, () => openResults(service) === 0), 'their files are closed')
  t.ok(await within(10_000, () => connections(service) <= idle), 'and their connections')
  t.equal((await fetch(service.url)).status, 200)
})

t.test('a slow reader above the minimum pace gets the whole file', async (t) => {
  const service = await serve(t, 'downloadPace: 50KB, downloadGrace: 5s')
  const reader = await ask(service, request(service.path))
  let got = 0
  const began = performance.now()
  // At most 600 kB a second, in pieces. The kernels buffer, so the service sees bursts with pauses.
  while (!reader.destroyed && got < SIZE) {
    const due = (performance.now() - began) * 600 - got
    if (due > 0) got += reader.read(Math.min(due, reader.readableLength || 1))?.length ?? 0
    await delay(20)
  }
  t.ok(got >= SIZE, `${got} bytes`)
  t.ok(performance.now() - began > 15_000, 'over several times the grace')
  reader.destroy()
})

t.test('the limit of downloads of one client at the same time', async (t) => {
  const service = await serve(t, 'downloads: 3')
  const readers = await Promise.all(Array.from({ length: 3 }, () => ask(service, request(service.path))))
  t.ok(await within(20_000, () => openResults(service) === 3))
  const refused = await fetch(service.url)
  t.equal(refused.status, 429)
  t.match(await refused.json(), { error: { code: 'RATE_LIMITED', message: /^At most 3 downloads at the same time/ } })
  t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
  t.equal((await fetch(service.url, { method: 'HEAD' })).status, 200, 'HEAD takes no place')

  const waiting = fetch(service.url)
  await delay(500)
  t.equal(openResults(service), 3, 'one that waits has opened nothing')
  readers[0]!.destroy()
  const served = await waiting
  t.equal(served.status, 200, 'it gets the place that becomes free')
  t.equal((await served.arrayBuffer()).byteLength, SIZE)
  // Many downloads over few places wait a little, and none is refused.
  for (const reader of readers) reader.destroy()
  const part = { headers: { range: 'bytes=0-99999' } }
  const crowd = Array.from(
    { length: 30 },
    async () => (await (await fetch(service.url, part)).arrayBuffer()).byteLength,
  )
  t.strictSame(new Set(await Promise.all(crowd)), new Set([100_000]))
})

t.test('pipelined requests', async (t) => {
  const service = await serve(t, 'downloads: 1000')
  await t.test('open their files one after the other, and all are answered', async (t) => {
    const reader = await ask(service, request(service.path).repeat(5))
    t.ok(await within(20_000, () => openResults(service) === 1))
    await delay(1000)
    t.equal(openResults(service), 1, 'the others wait for their turn')
    let got = 0
    reader.on('data', (chunk) => (got += chunk.length)).resume()
    t.ok(await within(60_000, () => got >= 5 * SIZE), `${got} bytes`)
    reader.destroy()
  })
  await t.test('waiting requests are dropped when the client disconnects', async (t) => {
    const reader = await ask(service, request(service.path).repeat(5))
    t.ok(await within(20_000, () => openResults(service) === 1))
    reader.destroy()
    t.ok(await within(10_000, () => openResults(service) === 0))
  })
  await t.test('at most a hundred may wait', async (t) => {
    const reader = await ask(service, request(service.path) + request('/healthz').repeat(500))
    reader.resume()
    const closed = once(reader, 'close').then(() => true)
    t.ok(await Promise.race([closed, delay(20_000, false)]), 'the connection is closed')
    t.equal((await fetch(`${service.base}/healthz`)).status, 200)
  })
})
