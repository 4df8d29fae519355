/**
 * Decisions of the pool of warm processes: which it keeps, starts and ends. Its processes are played, and time is the
 * test's.
 */
import { mock } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { createIdleProcesses } from '../../kernel/sandbox/pool/idle.ts'
import { createWarmPool, type WarmPoolOptions } from '../../kernel/sandbox/pool/pool.ts'
import type { WarmProcess } from '../../kernel/sandbox/pool/warm-process.ts'
import { until } from '../harness/until.ts'
import { setClock } from './clock.ts'

const MB = 1024 ** 2
const engineOf = (name: string, warm: Partial<NonNullable<Engine['warm']>> = {}): Engine => ({
  name,
  binary: [name],
  version: [],
  argv: () => [],
  warm: { argv: [], jobs: 10, memory: 20 * MB, ...warm },
})
const engine = engineOf('played')

/** A process that boots, ends and is killed as the test says. */
function playProcess(engine: Engine) {
  const ready = Promise.withResolvers<boolean>()
  const gone = Promise.withResolvers<any>()
  const process = {
    engine,
    folder: '',
    pid: 1,
    ready: ready.promise,
    gone: gone.promise,
    alive: true,
    ended: false,
    busy: false,
    run: async () => [],
    kill() {
      process.alive = false
      gone.resolve({ code: 137 })
    },
  }
  return { process: process as WarmProcess, boot: ready.resolve, end: process.kill }
}

/** A pool on a machine with two cores whose processes are played. */
function play(t: Test, change: Partial<WarmPoolOptions> = {}) {
  const started: ReturnType<typeof playProcess>[] = []
  const heard: string[] = []
  const pool = createWarmPool({
    memory: 100 * MB,
    spares: 1,
    reuse: true,
    idle: 60_000,
    async start(engine) {
      const played = playProcess(engine)
      started.push(played)
      return played.process
    },
    onBootFailed: ({ name }) => void heard.push(`failed ${name}`),
    freeMemory: () => 10_000 * MB,
    cores: 2,
    jobs: () => 0,
    discard: async () => void heard.push('discard'),
    measure: async () => 20 * MB,
    ...change,
  })
  t.teardown(() => {
    const closed = pool.close()
    for (const { boot } of started) boot(false)
    return closed
  })
  const count = () => pool.count().map(({ booting, ready, kept }) => [booting, ready, kept])
  return { pool, started, heard, count, has: (many: number) => until(() => started.length >= many) }
}

t.test('a spare boots, waits, serves its owner, and is replaced', async (t) => {
  const { pool, started, count, has } = play(t)
  pool.keep(engine)
  await has(1)
  t.same(count(), [[1, 0, 0]])
  started[0]!.boot(true)
  await settle()
  t.same(count(), [[0, 1, 0]])
  const process = pool.take('one', [engine])
  t.equal(process, started[0]!.process)
  await has(2)
  pool.give('one', process!)
  t.same(count(), [[1, 0, 1]])
  t.equal(pool.take('two', [engine]), started[1]!.process, 'another owner gets one that still boots')
  t.equal(pool.take('one', [engine]), process)
  t.equal(pool.take('one', [engine]), undefined)
})

t.test('what is not kept after a job', async (t) => {
  for (const [what, options, warm, end] of [
    ['without reuse', { reuse: false }, {}, false],
    ['after its last job', {}, { jobs: 1 }, false],
    ['one that has ended', {}, {}, true],
    ['one that has grown too large', { measure: async () => 300 * MB }, {}, false],
  ] as const) {
    const own = engineOf('own', warm)
    const { pool, heard, count } = play(t, { spares: 0, ...options })
    pool.keep(own)
    const { process, end: kill } = playProcess(own)
    if (end) kill()
    pool.give('one', process)
    await settle()
    t.same(count(), [[0, 0, 0]], what)
    t.notOk(process.alive, what)
    t.same(heard, ['discard'], what)
  }
})

t.test('a kept process that ends by itself is discarded; all end with the pool', async (t) => {
  const { pool, started, heard, count, has } = play(t)
  pool.keep(engine)
  await has(1)
  const one = playProcess(engine)
  const two = playProcess(engine)
  pool.give('one', one.process)
  pool.give('two', two.process)
  t.same(count(), [[1, 0, 2]])
  one.end()
  await settle()
  t.same(count(), [[1, 0, 1]])
  t.same(heard, ['discard'])
  const closed = pool.close()
  t.notOk(two.process.alive || started[0]!.process.alive)
  started[0]!.boot(false)
  await closed
  t.same(heard, ['discard', 'discard', 'discard'])
  pool.give('three', playProcess(engine).process)
  t.same(count(), [[0, 0, 0]], 'a closed pool keeps nothing')
})

t.test('spares start while a core is idle, one after the other', async (t) => {
  let jobs = 2
  const { pool, started, count, has } = play(t, { jobs: () => jobs })
  pool.keep(engine)
  pool.keep(engineOf('second'))
  await settle()
  t.equal(started.length, 0)
  jobs = 1
  pool.resume()
  await has(1)
  t.equal(started[0]!.process.engine, engine)
  await settle()
  t.equal(started.length, 1, 'the other one waits until it has booted')
  started[0]!.boot(true)
  await has(2)
  t.same(count(), [
    [0, 1, 0],
    [1, 0, 0],
  ])
})

t.test('an engine that does not boot is tried again, and reported after the third time', async (t) => {
  const clock = setClock(t)
  const { pool, started, heard } = play(t)
  pool.keep(engine)
  for (const [attempt, wait] of [1000, 2000, 4000].entries()) {
    await settle()
    t.equal(started.length, attempt + 1)
    started[attempt]!.boot(false)
    await settle()
    clock.now += wait - 1
    pool.resume()
    await settle()
    t.equal(started.length, attempt + 1, `it waits ${wait} ms`)
    t.equal(heard.includes('failed played'), attempt === 2)
    clock.now += 1
    pool.resume()
  }
})

t.test('every five seconds, processes of owners who stay away end, and spares that are missing start', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const clock = setClock(t)
  t.teardown(() => mock.timers.reset())
  const { pool, started, count } = play(t, { jobs: () => 2 })
  pool.keep(engine)
  const { process } = playProcess(engine)
  pool.give('one', process)
  t.same([count(), started.length], [[[0, 0, 1]], 0])
  clock.now += 59_999
  mock.timers.tick(5000)
  await settle()
  t.same([count(), started.length], [[[1, 0, 1]], 1], 'also beside jobs')
  clock.now += 1
  mock.timers.tick(5000)
  t.same(count(), [[1, 0, 0]])
  t.notOk(process.alive)
})

t.test('several first spares of an engine leave a core free while they boot', async (t) => {
  const { pool, started, has } = play(t, { spares: 3, cores: 3 })
  pool.keep(engine)
  await has(2)
  await settle()
  t.equal(started.length, 2)
  started[0]!.boot(true)
  await has(3)
})

t.test('a spare that a job took while it booted says nothing about the size of others', async (t) => {
  // By then, it works on its job.
  const { pool, started, has } = play(t, { measure: async () => 300 * MB })
  pool.keep(engine)
  await has(1)
  t.ok(pool.take('one', [engine]), 'it still boots')
  started[0]!.boot(true)
  await has(2)
  started[1]!.boot(true)
  t.pass('the next one is started')
})

t.test('which idle processes make room', async (t) => {
  const clock = setClock(t)
  const small = engineOf('small')
  const large = engineOf('large', { memory: 50 * MB })
  /** A budget of 100 MB, of which a spare and a kept process of each engine use 80. */
  const fill = (left = 10_000 * MB) => {
    const gone: string[] = []
    const names = new Map<WarmProcess, string>()
    const idle = createIdleProcesses(
      100 * MB,
      () => left,
      (process) => gone.push(names.get(process)!),
    )
    const add = (name: string, engine: Engine, owner?: string) => {
      const { process } = playProcess(engine)
      names.set(process, name)
      const added = idle.add(engine, process, owner)
      added.bytes = 20 * MB
      return added
    }
    add('spare small', small)
    add('spare large', large)
    add('kept small', small, 'one')
    return { idle, gone, last: add('kept large', large, 'two') }
  }
  /** What ends if the process that was kept last has so many bytes. */
  const fit = (bytes: number, { idle, gone, last } = fill()) => {
    last.bytes = bytes * MB
    idle.fit(last)
    return gone
  }
  t.same(fit(40), [], 'there is room')
  t.same(fit(41), ['kept small'], 'another kept process')
  t.same(fit(50, fill(240 * MB)), ['kept small'], 'the machine keeps 256 MB')
  t.same(fit(50, fill(230 * MB)), ['kept small', 'spare small'], 'a spare of another engine')
  t.same(fit(50, fill(200 * MB)), ['kept small', 'spare small', 'kept large'], 'itself, and no spare of its engine')
  t.same(fit(51), ['kept large'], 'more than half of the budget')

  const room = (engine: Engine, { idle, gone } = fill()) => [idle.makeRoom(engine), ...gone]
  t.same(room(small), [true])
  t.same(room(large), [false], 'owners who have just come may come back')
  const later = fill()
  clock.now += 5001
  t.same(room(large, later), [true, 'kept small', 'kept large'], 'after five seconds, an owner is not expected')
  const { idle } = later
  t.same(idle.count(small), { engine: 'small', booting: 1, ready: 0, kept: 0 })
})
