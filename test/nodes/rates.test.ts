/** Windows of rate limits that two nodes share. */
import t from 'tap'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'
import { openRedis } from '../../kernel/nodes/redis.ts'
import { startRedis } from '../services/redis.ts'

t.test('nodes count together; without Redis each counts by itself', { timeout: 60_000 }, async (t) => {
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
