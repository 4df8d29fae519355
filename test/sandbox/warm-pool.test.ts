/**
 * Decisions of the pool of warm processes: which it keeps, starts and ends. Its processes are played, and time is the
 * test's.
 */
import { mock } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { createDemand } from '../../kernel/sandbox/demand.ts'
import { createIdle } from '../../kernel/sandbox/idle.ts'
import { createRehearsals } from '../../kernel/sandbox/rehearsal.ts'
import { createWarmPool } from '../../kernel/sandbox/warm.ts'
import type { WarmPoolOptions } from '../../kernel/sandbox/warm-options.ts'
import type { WarmProcess } from '../../kernel/sandbox/warm-process.ts'
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
function playProcess(engine: Engine, lines?: readonly string[]) {
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
    rehearse: async () => lines,
    run: async () => [],
    kill() {
      process.alive = false
      gone.resolve({ code: 137 })
    },
  }
  return { process: process as WarmProcess, boot: ready.resolve, end: process.kill }
}

/** A pool on a machine whose processes are played. */
function play(t: Test, change: Partial<WarmPoolOptions> = {}) {
  const started: ReturnType<typeof playProcess>[] = []
  const heard: string[] = []
  const pool = createWarmPool({
    memory: 100 * MB,
    spares: 1,
    workers: 2,
    reuse: true,
    idle: 60_000,
    async start(engine) {
      const played = playProcess(engine)
      started.push(played)
      return played.process
    },
    slow: () => void heard.push('slow'),
    hurry: () => void heard.push('hurry'),
    failed: ({ name }) => void heard.push(`failed ${name}`),
    unrehearsed: () => {},
    left: () => 10_000 * MB,
    working: () => false,
    discard: async () => void heard.push('discard'),
    measure: async () => 20 * MB,
    resident: () => 300 * MB,
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

t.test('a spare boots slowly, waits, serves its owner, and is replaced', async (t) => {
  const { pool, started, heard, count, has } = play(t)
  pool.keep(engine)
  await has(1)
  t.same(count(), [[1, 0, 0]])
  t.same(heard, ['slow'])
  started[0]!.boot(true)
  await settle()
  t.same(count(), [[0, 1, 0]])
  t.same(heard, ['slow', 'hurry'])
  const process = pool.take('one', [engine])
  t.equal(process, started[0]!.process)
  await has(2)
  pool.give('one', process!)
  t.same(count(), [[1, 0, 1]])
  t.equal(pool.take('two', [engine]), started[1]!.process, 'another owner gets one that still boots')
  t.same(heard.slice(2), ['slow', 'hurry'], 'which hurries then')
  t.equal(pool.take('one', [engine]), process)
  t.equal(pool.take('one', [engine]), undefined)
})

t.test('what is not kept after a job', async (t) => {
  for (const [what, options, warm, end] of [
    ['without reuse', { reuse: false }, {}, false],
    ['after its last job', {}, { jobs: 1 }, false],
    ['one that has ended', {}, {}, true],
  ] as const) {
    const own = engineOf('own', warm)
    const { pool, heard, count } = play(t, { spares: 0, ...options })
    pool.keep(own)
    const { process, end: kill } = playProcess(own)
    if (end) kill()
    pool.give('one', process)
    t.same(count(), [[0, 0, 0]], what)
    t.notOk(process.alive, what)
    await settle()
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
  t.same(heard, ['slow', 'discard'])
  const closed = pool.close()
  t.notOk(two.process.alive || started[0]!.process.alive)
  started[0]!.boot(false)
  await closed
  t.same(heard, ['slow', 'discard', 'discard', 'discard'])
  pool.give('three', playProcess(engine).process)
  t.same(count(), [[0, 0, 0]], 'a closed pool keeps nothing')
})

t.test('spares start when no job runs, one after the other', async (t) => {
  let busy = true
  const { pool, started, count, has } = play(t, { working: () => busy })
  pool.keep(engine)
  pool.keep(engineOf('second'))
  await settle()
  t.equal(started.length, 0)
  busy = false
  pool.resume()
  await has(1)
  t.equal(started[0]!.process.engine, engine)
  started[0]!.boot(true)
  await has(2)
  t.same(count(), [
    [0, 1, 0],
    [1, 0, 0],
  ])
})

t.test('an engine that does not boot is tried again, and reported after the third time', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { pool, started, heard } = play(t)
  pool.keep(engine)
  for (const [attempt, wait] of [1000, 2000, 4000].entries()) {
    await settle()
    t.equal(started.length, attempt + 1)
    started[attempt]!.boot(false)
    await settle()
    mock.timers.tick(wait - 1)
    await settle()
    t.equal(started.length, attempt + 1, `it waits ${wait} ms`)
    t.equal(heard.includes('failed played'), attempt === 2)
    mock.timers.tick(1)
  }
})

t.test('every five seconds, processes of owners who stay away end, and spares that are missing start', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const clock = setClock(t)
  t.teardown(() => mock.timers.reset())
  const { pool, started, count } = play(t, { working: () => true })
  pool.keep(engine)
  const { process } = playProcess(engine)
  pool.give('one', process)
  t.same([count(), started.length], [[[0, 0, 1]], 0])
  clock.now += 59_999
  mock.timers.tick(5000)
  await settle()
  t.same([count(), started.length], [[[1, 0, 1]], 1], 'also beside a job')
  clock.now += 1
  mock.timers.tick(5000)
  t.same(count(), [[1, 0, 0]])
  t.notOk(process.alive)
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

t.test('a spare that a job took while it was measured tells what others use at most', async (t) => {
  const untold: Engine = { ...engine, warm: { argv: [], jobs: 10 } }
  const measured = Promise.withResolvers<number>()
  const { pool, started, has } = play(t, { memory: 110 * MB, measure: () => measured.promise })
  pool.keep(untold)
  await has(1)
  started[0]!.boot(true)
  await settle()
  const process = pool.take('one', [untold])!
  measured.resolve(40 * MB)
  await settle()
  pool.give('one', process)
  await has(2)
  t.ok(
    started.every(({ process }) => process.alive),
    'both have room',
  )
  t.equal(pool.take('one', [untold]), process)
})

t.test('which idle processes make room', async (t) => {
  const clock = setClock(t)
  const often = engineOf('often')
  const seldom = engineOf('seldom')
  const demands = new Map([often, seldom].map((engine) => [engine, createDemand()]))
  for (let use = 0; use < 3; use++) demands.get(often)!.used.note()
  demands.get(seldom)!.used.note()
  /** A full budget of 100 MB: a spare and a kept process of each engine. */
  const fill = (left = 10_000 * MB) => {
    const gone: string[] = []
    const names = new Map<WarmProcess, string>()
    const retire = (process: WarmProcess) => void gone.push(names.get(process)!)
    const idle = createIdle({ memory: 100 * MB, workers: 2, demands, left: () => left, retire })
    const add = (name: string, engine: Engine, owner?: string) => {
      const { process } = playProcess(engine)
      names.set(process, name)
      idle.add(process, 25 * MB, owner)
      return process
    }
    add('spare seldom', seldom)
    add('spare often', often)
    const kept = add('kept seldom', seldom, 'one')
    const last = add('kept often', often, 'two')
    return { idle, gone, kept, last, add }
  }
  const room = (bytes: number, engine: Engine, of = fill(), kept?: WarmProcess) => [
    of.idle.makeRoom(bytes * MB, engine, kept),
    ...of.gone,
  ]
  t.same(room(0, often), [true], 'there is room')
  t.same(room(25, often), [true, 'spare seldom'], 'for a spare, one of less use goes')
  t.same(room(25, seldom), [false], 'and none of more use')
  t.same(room(50, often), [false], 'kept ones of recent use stay, and then nothing is ended')
  const given = fill()
  t.same(
    room(50, often, given, given.last),
    [true, 'spare seldom', 'kept seldom'],
    'for one that has just worked, they go',
  )
  const large = fill()
  t.same(room(90, often, large, large.last), [false, 'kept often', 'spare seldom', 'kept seldom'])
  const short = fill(240 * MB)
  t.same(room(0, often, short), [true, 'spare seldom'], 'the machine keeps 256 MB')
  const later = fill()
  clock.now += 5001
  t.same(room(25, seldom, later), [true, 'kept seldom'], 'after five seconds, an owner is not expected')

  const { idle, gone, kept, add } = fill()
  t.same(idle.count(seldom), { booting: 0, ready: 1, kept: 1 })
  t.same(
    idle.mostUsed().map(({ name }) => name),
    ['often', 'seldom'],
  )
  t.ok(idle.remove(kept))
  t.notOk(idle.remove(kept), 'only once')
  t.equal(
    idle.take(({ owner }) => owner === 'one'),
    undefined,
  )
  add('spare 2', seldom)
  clock.now += 1001
  add('spare 3', seldom)
  idle.shrink(seldom, 1, 1000)
  t.same(gone, ['spare seldom', 'spare 2'], 'spares above the number that is wanted, if they have waited')
  idle.retireWhere(({ owner }) => owner === 'two')
  t.same(gone.at(-1), 'kept often')
})

t.test('the demand for an engine: its size, and how many spares will be taken', async (t) => {
  const clock = setClock(t)
  const demand = createDemand()
  t.equal(demand.size(), 100 * MB, 'a guess')
  t.equal(demand.sizeWith(50 * MB), undefined)
  t.notOk(demand.isKnown())
  demand.measured(0, 0)
  t.equal(demand.size(), 100 * MB, 'it had ended')
  demand.measured(30 * MB, 45 * MB)
  t.same([demand.size(), demand.sizeWith(50 * MB), demand.sizeWith(MB)], [30 * MB, 35 * MB, 0])
  t.ok(demand.isKnown())
  clock.now += 60_000
  t.notOk(demand.isKnown(), 'for a minute')
  demand.worked(40 * MB)
  t.equal(demand.size(), 30 * MB)
  demand.worked(20 * MB)
  t.equal(demand.size(), 20 * MB, 'a spare uses no more than one at work')

  demand.booted(2000)
  demand.booted(4000)
  for (let job = 0; job < 20; job++) demand.fresh.note()
  t.equal(demand.wanted(), 6, 'two a second for ten seconds, three seconds each')
  clock.now += 10_000
  t.equal(demand.wanted(), 2, 'older ones count for a third')
})

t.test('a rehearsal: not beside a job, and never again if it has failed', async (t) => {
  let busy = false
  const told: unknown[] = []
  const unrehearsed = (engine: Engine, lines: readonly string[]) => void told.push([engine.name, ...lines])
  const rehearse = createRehearsals({ working: () => busy, unrehearsed })
  const begun: string[] = []
  const processOf = (name: string, lines?: readonly string[], during = () => {}) => {
    const { process } = playProcess(engine)
    const act = async () => {
      begun.push(name)
      during()
      return lines
    }
    return Object.assign(process, { rehearse: act })
  }
  const isSpare = () => true
  await rehearse(processOf('good'), isSpare)
  busy = true
  await rehearse(processOf('beside a job', ['no']), isSpare)
  busy = false
  await rehearse(processOf('taken', ['no']), () => false)
  await rehearse(
    processOf('a job comes', ['no'], () => (busy = true)),
    isSpare,
  )
  t.same(told, [], 'these say nothing about the engine')
  busy = false
  await rehearse(processOf('bad', ['no such font']), isSpare)
  await rehearse(processOf('bad again', ['no']), isSpare)
  t.same(told, [['played', 'no such font']])
  t.same(begun, ['good', 'taken', 'a job comes', 'bad'])
})
