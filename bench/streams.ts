import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Goal } from './report.ts'

/** Streams, and how many of them a guest may have. */
const STREAMS = 200
const EACH = 5

/** Measures the memory of the kernel with many open streams of events. @param memory Returns megabytes (PSS). */
export async function benchStreams(base: string, goals: Goal[], memory: () => Promise<number>): Promise<void> {
  const agent = new http.Agent({ keepAlive: false })
  // The first ones compile code and grow the heap.
  await closed(await opened(base, agent, STREAMS))
  const figures: number[] = []
  for (let round = 0; round < 3; round++) {
    await delay(3000)
    const before = await memory()
    const streams = await opened(base, agent, STREAMS)
    await delay(3000)
    figures.push(((await memory()) - before) * (1000 / STREAMS))
    await closed(streams)
  }
  goals.push({ name: `memory of an event stream, ${STREAMS} open`, unit: 'kB', ours: figures, atMost: 100 })
}

/** Opens streams of several guests. Resolves when each has had its first event. */
function opened(base: string, agent: http.Agent, count: number): Promise<http.IncomingMessage[]> {
  const guests = Array.from({ length: Math.ceil(count / EACH) }, () => randomUUID())
  const streams = Array.from({ length: count }, async (_, at) => {
    const headers = { 'x-guest-fingerprint': guests[Math.floor(at / EACH)]! }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http.get(`${base}/api/events`, { agent, headers }, resolve).on('error', reject)
    const stream = await promise
    if (stream.statusCode !== 200) throw new Error(`a stream answered ${stream.statusCode}`)
    await new Promise((first) => stream.on('data', first))
    return stream
  })
  return Promise.all(streams)
}

async function closed(streams: readonly http.IncomingMessage[]): Promise<void> {
  await Promise.all(streams.map((stream) => new Promise((done) => stream.on('close', done).destroy())))
}
