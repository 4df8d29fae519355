/** Windows of rate limits that two nodes share. */
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'
import { openRedis } from '../../kernel/nodes/redis.ts'
import { startRedis } from '../services/redis.ts'

t.test('nodes count together; without Redis each counts by itself', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  const log = createLog('silent')
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
  await using place = await openRedis(server.url, 'a secret', createLog('silent'))
  const [one, two] = [0, 1].map(() => createWindow(createRedisStore(place), 'test', 4, 60_000))
  for (let n = 0; n < 2; n++) {
    await one!(`client ${n}`)
    const second = two!(`client ${n}`)
    await turn()
    const end = performance.now() + 1500
    while (performance.now() < end);
    t.equal((await second).remaining, 2, 'counted together')
  }
})

t.test('Redis that hangs delays one request, not each', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', createLog('silent'))
  const store = createRedisStore(place)
  const [one, two] = ['one', 'two'].map((name) => createWindow(store, name, 4, 60_000))
  t.equal((await one!('client')).remaining, 3)
  server.pause()
  const began = performance.now()
  t.equal((await one!('client')).remaining, 3, 'counted by the node')
  for (let n = 0; n < 50; n++) await (n % 2 ? one! : two!)(`client ${n}`)
  const took = performance.now() - began
  t.ok(took < 15_000, `${took.toFixed()} ms`)
  server.resume()
  const other = createWindow(createRedisStore(place), 'one', 4, 60_000)
  let left = 3
  for (let look = 0; left !== 2 && look < 1200; look++) {
    await delay(100)
    await one!(`late ${look}`)
    left = (await other(`late ${look}`)).remaining
  }
  t.equal(left, 2, 'counted together again')
})

t.test('a start with a wrong password says so', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis('right')
  const log = createLog('silent')
  const refused = /^REDIS_URL: Redis refuses the user name or the password\. Check them in the URL/
  for (const credentials of ['', ':wrong@', 'nobody:right@']) {
    await t.rejects(openRedis(server.url.replace('//', `//${credentials}`), 'a secret', log), { message: refused })
  }
  await using _place = await openRedis(server.url.replace('//', '//:right@'), 'a secret', log)
})
