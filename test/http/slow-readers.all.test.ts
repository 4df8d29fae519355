/**
 * Clients that read slowly, in large numbers, or request more than they read: real sockets, a separate service process.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { endAt, startAt, startStub } from '../boot/program.ts'
import { folderOf } from '../harness/folder.ts'
import { until } from '../harness/until.ts'

const SIZE = 12_000_000
const PLANS = 'plans: { guest: { conversionsPerDay: null, bytesPerDay: null } }'

/** A service in a separate process, with a result of 12 MB. */
async function serve(t: Test, http: string) {
  const folder = await folderOf(t)
  const env = { NODE_OPTIONS: '--max-semi-space-size=2', MALLOC_ARENA_MAX: '1' }
  const service = startStub(t, join(folder, 'data'), { env, yaml: `${PLANS}\nhttp: { ${http} }` })
  const base = await service.ready()
  const id = await startAt(base, {}, `STUB\n${'x'.repeat(SIZE - 5)}`)
  const conversion = await endAt(base, id)
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
  const before = memory(service)
  const idle = connections(service)
  const readers = await Promise.all(Array.from({ length: 200 }, () => ask(service, request(service.path))))
  // Some read nothing, others 1 kB at intervals.
  const sipping = setInterval(() => {
    for (const reader of readers.slice(0, 100)) reader.read(1000)
  }, 1000)
  t.teardown(() => clearInterval(sipping))
  await until(() => openResults(service) === 200)
  await delay(2000)
  const more = memory(service) - before
  t.comment(`${Math.round(before)} MB, and ${Math.round(more)} MB for 200 slow readers`)
  t.ok(more < 220, `${Math.round(more)} MB more`)
  await until(() => openResults(service) === 0, 600_000)
  await until(() => connections(service) <= idle)
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
