/** Windows of rate limits in Redis, which nodes share. */
import { setImmediate as turn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { openRedis } from '../../kernel/cluster/redis.ts'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'
import { countsRequests } from '../http/rate-windows-suite.ts'

t.setTimeout(600_000)

const log = createLog('silent')
const server = await startRedis()
t.teardown(() => server[Symbol.asyncDispose]())
const [one, two, stranger] = await Promise.all(
  ['a secret', 'a secret', 'another secret'].map((secret) => openRedis(server.url, secret, log)),
)
for (const place of [one, two, stranger]) t.teardown(() => place![Symbol.asyncDispose]())
const windowOf = (place: typeof one, name: string, limit = 4) =>
  createWindow(createRedisStore(place!), name, limit, 60_000)

t.test('in Redis', (t) => countsRequests(t, createRedisStore(one!)))

t.test('a window ends although the clock of Redis was set back', async (t) => {
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  await server.empty()
  const window = windowOf(one, 'set back', 1)
  t.equal((await window('client')).allowed, true)
  const [key] = await redis.keys('*')
  await redis.pexpire(key!, 3_600_000)
  t.match(await window('client'), { allowed: false, remaining: 0 })
  const left = await redis.pttl(key!)
  t.ok(left > 0 && left <= 60_000, `in ${left} ms`)
})

/** Runs something while the clock by which this process counts requests is ahead by some milliseconds. */
async function ahead<Result>(milliseconds: number, run: () => Promise<Result>): Promise<Result> {
  const { bigint } = process.hrtime
  const timeOrigin = performance.timeOrigin + milliseconds
  process.hrtime.bigint = () => bigint() + BigInt(milliseconds) * 1_000_000n
  Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin, configurable: true })
  try {
    return await run()
  } finally {
    process.hrtime.bigint = bigint
    delete (performance as { timeOrigin?: number }).timeOrigin
  }
}

t.test('nodes count together, also if their clocks differ; others are counted apart', async (t) => {
  const windows = [one, two, stranger].map((place) => windowOf(place, 'together'))
  const verdicts = []
  for (let n = 0; n < 6; n++) verdicts.push(await ahead((n % 2) * 120_000, () => windows[n % 2]!('client')))
  t.strictSame(
    verdicts.map(({ remaining, allowed }) => [remaining, allowed]),
    [3, 2, 1, 0, 0, 0].map((left, n) => [left, n < 4]),
  )
  for (const { reset } of verdicts) t.ok(reset > 1 && reset <= 60, `${reset} s are left`)
  t.equal((await windows[2]!('client')).allowed, true, 'another installation has windows of its own')
})

t.test('an answer counts although a stalled event loop reads it late', async (t) => {
  await windowOf(one, 'stalled')('client')
  const second = windowOf(one, 'stalled')('client')
  await turn()
  const end = performance.now() + 1500
  while (performance.now() < end);
  t.equal((await second).remaining, 2, 'counted together')
})

t.test('Redis that hangs delays one request, not each', async (t) => {
  const window = windowOf(one, 'hangs')
  const next = windowOf(one, 'hangs too')
  t.equal((await window('client')).remaining, 3)
  server.pause()
  t.equal((await window('client')).remaining, 3, 'counted by the node')
  // If each of them waited for Redis, the test would not end in time.
  for (let n = 0; n < 5000; n++) await (n % 2 ? window : next)(`client ${n}`)
  server.resume()
  // Counted together again.
  let look = 0
  await until(async () => {
    await window(`late ${++look}`)
    return (await windowOf(two, 'hangs')(`late ${look}`)).remaining === 2
  })
})

t.test('without Redis, each node counts by itself', async (t) => {
  await server.stop()
  for (const place of [one, two]) {
    const window = windowOf(place, 'alone')
    for (const allowed of [true, true, true, true, false]) t.equal((await window('client')).allowed, allowed)
  }
})

t.test('a start with a wrong password says so', async (t) => {
  await using guarded = await startRedis('right')
  const refused = /^REDIS_URL: Redis refuses the user name or the password\. Check them in the URL/
  for (const credentials of ['', ':wrong@', 'nobody:right@']) {
    await t.rejects(openRedis(guarded.url.replace('//', `//${credentials}`), 'a secret', log), { message: refused })
  }
  await using _place = await openRedis(guarded.url.replace('//', '//:right@'), 'a secret', log)
})
