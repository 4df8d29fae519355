/** What the queue of several nodes reads of the database, on real servers. */
import t, { type Test } from 'tap'
import { loadConfig } from '../../../config/load.ts'
import { openRedis } from '../../../kernel/cluster/redis.ts'
import { openDatabase } from '../../../kernel/database/database.ts'
import { listBacklog } from '../../../kernel/database/tables/backlog.ts'
import { createBacklog } from '../../../kernel/jobs/create-jobs.ts'
import { createSharedQueue } from '../../../kernel/jobs/queue/bullmq.ts'
import { createLog } from '../../../kernel/log.ts'
import { startMariaDb } from '../../harness/servers/mariadb.ts'
import { startRedis } from '../../harness/servers/redis.ts'
import { until } from '../../harness/until.ts'

t.setTimeout(900_000)

const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())
let made = 0

/** A database with nothing but the rows that a test adds. */
async function startBacklog(t: Test) {
  const database = await openDatabase({ url: await server.create(`backlog${++made}`), dataDir: '' })
  t.teardown(() => database.destroy())
  const same = { plan: 'guest', progress: 0, category: 'stub', from_format: 'a', to_format: 'b', intent: 'convert' }
  const source = { options: '{}', source_key: 'key', source_size: 1, name: 'a', created_at: 1, charged_to: 'a' }
  const waits = { status: 'queued', heavy: 0, attempts: 0, fence: 0 }
  const rowOf = (id: string, lane: string, more: object = {}) => ({
    ...same,
    ...source,
    ...waits,
    id,
    owner: lane,
    lane,
    ...more,
  })
  const add = (ids: readonly string[], lane: string, more: object = {}) =>
    database('conversions').insert(ids.map((id) => rowOf(id, lane, more)))
  const backlog = createBacklog(loadConfig({ env: { DATA_DIR: '/nowhere' }, argv: [] }), database)
  return { database, rowOf, add, backlog }
}

const many = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${9999 - n}`)
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join(' ')

t.test('only what may be delivered next is read of a long backlog', async (t) => {
  const { database, add } = await startBacklog(t)
  await add(['interrupted1', 'interrupted2'], 'user_a', { attempts: 1 })
  await add(['runs'], 'user_a', { status: 'processing', attempts: 1 })
  await add(['ended'], 'user_a', { status: 'completed', attempts: 1 })
  await add(many('a', 500), 'user_a')
  await add(many('h', 500), 'user_a', { heavy: 1 })
  await add(many('b', 500), 'user_b')
  const ofLane = async (lane: string) => idsOf(await listBacklog(database, 2, lane))
  t.equal(await ofLane('user_a'), 'interrupted1 interrupted2 runs h9999 h9998', 'in the order of their arrival')
  t.equal(await ofLane('user_b'), 'b9999 b9998')
  t.equal(await ofLane('user_c'), '')
  const heads = ['a', 'h', 'b'].flatMap((letter) => many(letter, letter === 'a' ? 7 : 9))
  t.equal(idsOf(await listBacklog(database, 9)), ['interrupted1 interrupted2 runs', ...heads].join(' '))
})

t.test('with a lane in wider ones, what all lanes in the widest one have is read', async (t) => {
  const { database, add } = await startBacklog(t)
  await add(['runs'], 'w.m.a', { status: 'processing', attempts: 1 })
  await add(many('a', 20), 'w.m.a')
  await add(['b'], 'w.n.b')
  await add(['other'], 'w2.m.a')
  await add(['another'], 'v')
  for (const lane of ['w.m.a', 'w.n.b', 'w.n.empty'])
    t.equal(idsOf(await listBacklog(database, 2, lane)), 'runs a9999 a9998 b')
  t.equal(idsOf(await listBacklog(database, 2, 'v')), 'another')
})

t.test('how many wait, and for how long the first of them has, by kind', async (t) => {
  const { add, backlog } = await startBacklog(t)
  t.strictSame(await backlog.count(), { light: { waiting: 0, age: 0 }, heavy: { waiting: 0, age: 0 } })
  const since = (seconds: number) => ({ created_at: Date.now() - seconds * 1000 })
  await add(['a'], 'user_a', since(3000))
  await add(['b'], 'user_a', since(9000))
  await add(['c'], 'user_b', { ...since(20_000), heavy: 1 })
  await add(['late'], 'user_c', { ...since(-20_000), heavy: 1 })
  await add(['runs'], 'user_a', { ...since(90_000), status: 'processing' })
  const { light, heavy } = await backlog.count()
  t.strictSame([light.waiting, heavy.waiting], [2, 2])
  t.strictSame(
    [light.age, heavy.age].map((age) => Math.floor(age / 1_000_000)),
    [3, 20],
  )
})

t.test('a backlog that Redis has lost: each owner has its turn, and one holds half of the places', async (t) => {
  const { database, rowOf, add, backlog } = await startBacklog(t)
  await using redis = await startRedis()
  await using place = await openRedis(redis.url, 'a secret', createLog('silent'))
  // With all tests, the others fill more than one look of the leader.
  const [FLOOD, OTHERS] = process.env.TESTS_ALL ? [1200, 1200] : [60, 30]
  const flood = many('a', FLOOD)
  await add(flood, 'user_0')
  const others = Array.from({ length: OTHERS }, (_, n) => `other${n}`)
  const rows = others.map((id, n) => rowOf(id, `user_${n + 1}`))
  await database.batchInsert('conversions', rows, 1000)
  const order: string[] = []
  let mostFloods = 0
  const workers = { light: 4, heavy: 1 }
  const group = { name: 'all', nodes: 1, workers }
  const queue = createSharedQueue({
    async run({ id, lane }) {
      const claimed = { status: 'processing', node: 'n1', attempts: 1, fence: 1 }
      if (!(await database('conversions').where({ id, status: 'queued' }).update(claimed))) return
      order.push(id)
      // The database says what runs. Here, a conversion ends a moment later: the next one can be claimed before the
      // answer to the end of this one has arrived.
      const running = database('conversions').where({ lane, status: 'processing' })
      if (lane === 'user_0') mostFloods = Math.max(mostFloods, (await running.pluck('id')).length)
      await database('conversions').where({ id }).delete()
    },
    ...place,
    backlog,
    workers,
    group: 'all',
    log: createLog('silent'),
    cancelElsewhere: () => {},
    membership: {
      holds: () => true,
      workers: () => workers,
      roster: { groups: () => new Set(['all']), takersOf: () => [group], groupOf: () => 'all' },
    },
  })
  queue.begin()
  try {
    await until(async () => {
      // The look of the leader, more often.
      await queue.fill()
      return order.length >= FLOOD + OTHERS
    }, 600_000)
  } finally {
    await queue.close(0)
  }
  t.strictSame(order.toSorted(), [...flood, ...others].sort(), 'each ran once')
  t.equal(mostFloods, 2, 'half of the places')
  const last = order.findLastIndex((id) => id.startsWith('other'))
  t.ok(last < FLOOD + OTHERS - FLOOD / 12, 'nobody waits for the end of the flood')
})
