/** What nodes that share MariaDB and Redis deliver at starts and ends alone, without the looks of a leading node. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Config } from '../../config/config.ts'
import type { NewConversion } from '../../kernel/database/tables/conversions.ts'
import { guestOwner } from '../../kernel/people/owner.ts'
import { setUp } from '../harness/conversions.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'

t.setTimeout(600_000)

const owner = guestOwner('192.0.2.1', 'a')
const payer = { ...owner, plan: 'guest' as const }

const undo = new AsyncDisposableStack()
t.teardown(() => undo.disposeAsync())
const mariadb = undo.use(await startMariaDb())
const redis = undo.use(await startRedis())
let made = 0
const databaseUrl = () => mariadb.create(`queue_${++made}`)

function unlimited({ plans }: Config) {
  plans.guest = { ...plans.guest, pendingJobs: null, conversionsPerDay: null, heavyConcurrency: 1 }
}

/** The row of an ended conversion, from which a test makes others. */
async function template(service: Awaited<ReturnType<typeof setUp>>): Promise<NewConversion> {
  const { key: fileId } = await service.upload(owner)
  const { conversionId: id } = await service.start(owner, { fileId, toFormat: 'upp' })
  await until(async () => Boolean(await service.database('conversions').where({ id, status: 'completed' }).first()))
  // The database numbers the others itself.
  const { seq: _, ...row } = await service.database('conversions').where({ id }).first()
  return { ...row, status: 'queued', progress: 0, attempts: 0, fence: 0 }
}

t.test('each node tells how long the oldest conversion of all has waited', async (t) => {
  const { scheduler, ...service } = await setUp(t, databaseUrl, unlimited, { redisUrl: redis.url })
  if (!('refresh' in scheduler)) throw new Error('a queue of several nodes')
  const row = await template({ scheduler, ...service })
  // No node has this pair: otherwise the end of the first conversion could still deliver them.
  const later = { ...row, to_format: 'later' }
  const ages = { light: [30, 90], heavy: [200] }
  for (const [heavy, seconds] of Object.values(ages).entries()) {
    for (const age of seconds) {
      await service.accept(payer, { ...later, id: `age${age}`, heavy, created_at: Date.now() - age * 1000 }, 0)
    }
  }
  const isFrom = (age: number, least: number) => t.ok(age >= least && age < least + 60_000, `${age}`)
  await until(async () => {
    await scheduler.refresh()
    return scheduler.depth() === 3
  })
  // In the order of the queue.
  isFrom(scheduler.lane('light').age, 30_000)
  isFrom(scheduler.lane('heavy').age, 200_000)
  t.strictSame([scheduler.lane('light').waiting, scheduler.lane('heavy').waiting], [2, 1])
  await service.database('conversions').where({ status: 'queued' }).delete()
  await until(async () => {
    await scheduler.refresh()
    return scheduler.depth() === 0
  })
  t.strictSame([scheduler.lane('light').age, scheduler.lane('heavy').age], [0, 0])
})

t.test('heavy conversions of an owner run one at a time on two nodes, and none is left behind', async (t) => {
  let running = 0
  let max = 0
  let ran = 0
  const before = async () => {
    max = Math.max(max, ++running)
    // Long enough to meet another run that should not be.
    await delay(100)
    running--
    ran++
  }
  const node = { before, redisUrl: redis.url }
  const first = await setUp(t, databaseUrl, unlimited, node)
  const nodes = [first, await first.another(unlimited, node)]
  const { key: fileId } = await first.upload(owner)
  const bothWorked = () => nodes.every((node) => node.runs() > 0)
  let started = 0
  for (let round = 1; round <= 3 || (round <= 20 && !bothWorked()); round++) {
    const starts = Array.from({ length: 6 }, (_, n) =>
      nodes[n % 2]!.start(owner, { fileId, toFormat: 'upp', options: { heavy: true } }),
    )
    started += (await Promise.all(starts)).length
    await until(async () => (await first.database('conversions').where({ status: 'completed' })).length === started)
  }
  t.equal(ran, started, 'each once')
  t.equal(max, 1)
  t.ok(bothWorked())
})

t.test('twelve guests of one network on two nodes leave places for another guest', async (t) => {
  const node = { redisUrl: redis.url }
  const first = await setUp(t, databaseUrl, unlimited, node)
  const nodes = [first, await first.another(unlimited, node)]
  const hold = { toFormat: 'upp', options: { hold: true } }
  let at = 0
  const ask = async (guest: typeof owner) => {
    const { key: fileId } = await first.upload(guest)
    return nodes[at++ % 2]!.start(guest, { fileId, ...hold })
  }
  const running = async () =>
    (await first.database('conversions').where({ status: 'processing' }).pluck('owner')) as string[]
  for (let n = 0; n < 12; n++) await ask(guestOwner(`2001:db8:1:${n}::1`, `print-${n}`))
  // Of the four places that the list of nodes shows.
  await until(async () => (await running()).length === 3)
  await ask(owner)
  await until(async () => (await running()).includes(owner.id))
  t.equal((await running()).length, 4)
  await first.database('conversions').where({ status: 'queued' }).delete()
})
