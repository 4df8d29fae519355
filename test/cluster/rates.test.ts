/** Windows of rate limits in Redis, which nodes share. */
import { setImmediate as turn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { openRedis } from '../../kernel/cluster/redis.ts'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'
import { startCluster } from '../harness/nodes.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { countsRequests } from '../http/rate-windows-suite.ts'

const log = createLog('silent')

t.test('in Redis', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', log)
  await countsRequests(t, createRedisStore(place))
})

t.test('a window ends although the clock of Redis was set back', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', log)
  const window = createWindow(createRedisStore(place), 'test', 1, 60_000)
  t.equal((await window('client')).allowed, true)
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  const [key] = await redis.keys('*')
  await redis.pexpire(key!, 3_600_000)
  t.match(await window('client'), { allowed: false, remaining: 0 })
  const left = await redis.pttl(key!)
  t.ok(left > 0 && left <= 60_000, `in ${left} ms`)
})

t.test('nodes count together; without Redis each counts by itself', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using one = await openRedis(server.url, 'a secret', log)
  await using two = await openRedis(server.url, 'a secret', log)
  await using stranger = await openRedis(server.url, 'another secret', log)
  const windows = [one, two, stranger].map((place) => createWindow(createRedisStore(place), 'test', 4, 60_000))
  const ask = async (which: number) => (await windows[which]!('client')).allowed
  const verdicts = [await ask(0), await ask(1), await ask(0), await ask(1), await ask(0), await ask(1)]
  t.strictSame(verdicts, [true, true, true, true, false, false])
  t.equal(await ask(2), true, 'another installation has windows of its own')
  await server.stop()
  t.strictSame([await ask(0), await ask(0), await ask(0), await ask(0), await ask(0)], [true, true, true, true, false])
})

t.test('an answer counts although a stalled event loop reads it late', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', log)
  const [one, two] = [0, 1].map(() => createWindow(createRedisStore(place), 'test', 4, 60_000))
  await one!('client')
  const second = two!('client')
  await turn()
  const end = performance.now() + 1500
  while (performance.now() < end);
  t.equal((await second).remaining, 2, 'counted together')
})

t.test('Redis that hangs delays one request, not each', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', log)
  const store = createRedisStore(place)
  const [one, two] = ['one', 'two'].map((name) => createWindow(store, name, 4, 60_000))
  t.equal((await one!('client')).remaining, 3)
  server.pause()
  t.equal((await one!('client')).remaining, 3, 'counted by the node')
  // If each of them waited for Redis, the test would not end in time.
  for (let n = 0; n < 5000; n++) await (n % 2 ? one! : two!)(`client ${n}`)
  server.resume()
  const other = createWindow(createRedisStore(place), 'one', 4, 60_000)
  // Counted together again.
  let look = 0
  await until(async () => {
    await one!(`late ${++look}`)
    return (await other(`late ${look}`)).remaining === 2
  })
})

t.test('a start with a wrong password says so', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis('right')
  const refused = /^REDIS_URL: Redis refuses the user name or the password\. Check them in the URL/
  for (const credentials of ['', ':wrong@', 'nobody:right@']) {
    await t.rejects(openRedis(server.url.replace('//', `//${credentials}`), 'a secret', log), { message: refused })
  }
  await using _place = await openRedis(server.url.replace('//', '//:right@'), 'a secret', log)
})

t.test('clients of production get one allowance from all nodes', { timeout: 600_000 }, async (t) => {
  const cluster = await startCluster(t)
  const env = { ...cluster.env, NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' }
  const node = async () => cluster.servers.use(await startService({ env }))
  const nodes = [await node(), await node()]
  const request = async (which: number, address: string, path: string, init: RequestInit = {}) => {
    const headers = { ...init.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': address }
    const answer = await fetch(nodes[which % 2]!.base + path, { ...init, headers })
    const json: any = await answer.json()
    return { status: answer.status, left: Number(answer.headers.get('ratelimit-remaining')), json, answer }
  }
  const tools = (which: number, address: string, headers = {}) =>
    request(which, address, '/api/tools?limit=1', { headers })

  await t.test('one request after the other: what is left falls whichever node answers', async (t) => {
    const left: number[] = []
    for (let n = 0; n < 30; n++) left.push((await tools(n, '192.0.2.1')).left)
    t.strictSame(
      left,
      Array.from({ length: 30 }, (_, n) => 29 - n),
    )
    for (const which of [0, 1]) {
      const { status, json, answer } = await tools(which, '192.0.2.1')
      t.match({ status, json }, { status: 429, json: { error: { code: 'RATE_LIMITED' } } })
      const wait = Number(answer.headers.get('retry-after'))
      t.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`)
      t.equal((await tools(which, `192.0.2.${which + 2}`)).status, 200, 'another client')
    }
  })

  await t.test('of many at the same time, as many are answered as one node would', async (t) => {
    const statuses = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => (await tools(n, '192.0.2.10')).status),
    )
    t.equal(statuses.filter((status) => status === 200).length, 30)
    t.equal(statuses.filter((status) => status === 429).length, 50)
  })

  await t.test('an account is one client, from any address and by each of its credentials', async (t) => {
    const body = JSON.stringify({ email: 'ann@example.org', password: 'correct horse battery', name: 'Ann' })
    const json = { 'content-type': 'application/json' }
    const signed = await request(0, '192.0.2.20', '/api/auth/register', { method: 'POST', body, headers: json })
    t.equal(signed.status, 201)
    await cluster.rows("update users set plan = 'pro' where email = 'ann@example.org'")
    const session = { authorization: `Bearer ${signed.json.token}` }
    const made = await request(1, '192.0.2.21', '/api/api-keys', {
      method: 'POST',
      body: JSON.stringify({ name: 'one' }),
      headers: { ...json, ...session },
    })
    t.equal(made.status, 201)
    const first = await tools(0, '192.0.2.22', session)
    const second = await tools(1, '192.0.2.23', { 'x-api-key': made.json.key })
    t.equal(second.left, first.left - 1)
  })

  await t.test('a failed sign-in counts on all nodes, by address', async (t) => {
    const body = JSON.stringify({ email: 'ann@example.org', password: 'a wrong password' })
    const headers = { 'content-type': 'application/json' }
    const tried = (n: number) => request(n, '192.0.2.30', '/api/auth/login', { method: 'POST', body, headers })
    const first = await tried(0)
    t.equal(first.status, 401)
    const replies = []
    for (let n = 1; n <= first.left + 1; n++) replies.push((await tried(n)).status)
    t.strictSame(replies, [...Array.from({ length: first.left }, () => 401), 429])
    t.equal((await tried(first.left)).status, 429, 'the other node refuses too')
  })

  await t.test('a node that starts again knows what was counted', async (t) => {
    const before = await tools(0, '192.0.2.40')
    nodes[0] = await node()
    t.equal((await tools(0, '192.0.2.40')).left, before.left - 1)
  })
})
