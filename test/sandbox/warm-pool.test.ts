/** What the pool of warm processes takes a spare's size to be. Its processes are played: their memory must be known. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { createWarmPool } from '../../kernel/sandbox/warm.ts'
import type { WarmProcess } from '../../kernel/sandbox/warm-process.ts'

const MB = 1024 ** 2
const engine: Engine = {
  ...{ name: 'played', binary: ['played'], version: [], argv: () => [] },
  warm: { argv: [], jobs: 10, memory: 20 * MB },
}

t.test('a spare that a job took while it booted says nothing about the size of others', async (t) => {
  const boots: (() => void)[] = []
  const start = async (): Promise<WarmProcess> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    boots.push(() => resolve(true))
    const facts = { engine, folder: '', pid: 1, ready: promise, gone: new Promise<never>(() => {}) }
    return { ...facts, alive: true, ended: false, busy: false, run: async () => [], kill() {} }
  }
  const pool = createWarmPool({
    ...{ memory: 100 * MB, spares: 1, workers: 2, reuse: true, idle: 60_000, start },
    ...{ slow() {}, hurry() {}, failed() {}, left: () => 10_000 * MB, working: () => false, discard: async () => {} },
    // By then, it works on its job.
    ...{ measure: async () => 300 * MB, resident: () => 300 * MB },
  })
  pool.keep(engine)
  while (!boots.length) await delay(5)
  await delay(0)
  t.ok(pool.take('one', [engine]), 'it still boots')
  boots[0]!()
  while (boots.length < 2) await delay(5)
  boots[1]!()
  t.pass('the next one is started')
})
