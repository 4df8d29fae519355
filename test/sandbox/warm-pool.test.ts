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

/** A pool on a machine whose processes are played. A process boots when it is told to. */
function play(memory: number, measure: () => Promise<number>) {
  const boots: (() => void)[] = []
  const killed: WarmProcess[] = []
  const start = async (engine: Engine): Promise<WarmProcess> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    boots.push(() => resolve(true))
    const facts = { engine, folder: '', pid: 1, ready: promise, gone: new Promise<never>(() => {}) }
    const acts = { rehearse: async () => undefined, run: async () => [], kill: () => void killed.push(process) }
    const process: WarmProcess = { ...facts, alive: true, ended: false, busy: false, ...acts }
    return process
  }
  const pool = createWarmPool({
    ...{ memory, spares: 1, workers: 2, reuse: true, idle: 60_000, start },
    ...{
      slow() {},
      hurry() {},
      failed() {},
      unrehearsed() {},
      left: () => 10_000 * MB,
      working: () => false,
      discard: async () => {},
    },
    ...{ measure, resident: () => 300 * MB },
  })
  const started = async (count: number) => {
    while (boots.length < count) await delay(5)
    await delay(0)
  }
  return { pool, boots, killed, started }
}

t.test('a spare that a job took while it booted says nothing about the size of others', async (t) => {
  // By then, it works on its job.
  const { pool, boots, started } = play(100 * MB, async () => 300 * MB)
  pool.keep(engine)
  await started(1)
  t.ok(pool.take('one', [engine]), 'it still boots')
  boots[0]!()
  await started(2)
  boots[1]!()
  t.pass('the next one is started')
})

t.test('a spare that a job took while it was measured tells what others use at most', async (t) => {
  const untold = { ...engine, warm: { argv: [], jobs: 10 } }
  const measured = Promise.withResolvers<number>()
  const { pool, boots, killed, started } = play(110 * MB, () => measured.promise)
  pool.keep(untold)
  await started(1)
  boots[0]!()
  await delay(0)
  const process = pool.take('one', [untold])!
  measured.resolve(40 * MB)
  await delay(0)
  pool.give('one', process)
  await started(2)
  t.equal(killed.length, 0, 'both have room')
  t.equal(pool.take('one', [untold]), process)
})
