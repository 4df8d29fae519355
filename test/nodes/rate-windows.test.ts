/** Windows of rate limits in Redis, for nodes whose clocks differ. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow, type RateVerdict } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'
import { openRedis } from '../../kernel/nodes/redis.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { countsRequests } from '../http/rate-windows-suite.ts'
import { FAKE } from './clocks.ts'

const LIMIT = 30
const log = createLog('silent')

t.test('in Redis', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'a secret', log)
  await countsRequests(t, createRedisStore(place))
})

t.test('nodes whose clocks differ count together', { timeout: 300_000 }, async (t) => {
  await using server = await startRedis()
  const nodes: ChildProcess[] = []
  t.teardown(() => nodes.map((node) => node.removeAllListeners('exit').kill('SIGKILL')))
  for (const env of [{}, FAKE]) {
    const node = fork(join(import.meta.dirname, 'rate-node.ts'), [server.url, `${LIMIT}`], {
      env: { PATH: process.env.PATH, ...env },
      // Those of tap need its variables.
      execArgv: [],
    })
    node.once('exit', (code) => t.fail(`a node ended with ${code}`))
    nodes.push(node)
    await once(node, 'message')
  }
  const ask = async (which: number): Promise<RateVerdict & { at: number }> => {
    const answer = once(nodes[which]!, 'message')
    nodes[which]!.send('ask')
    return (await answer)[0]
  }
  const verdicts = []
  for (let n = 0; n < LIMIT + 2; n++) verdicts.push(await ask((n + 1) % 2))
  const [late, early] = [verdicts[0]!, verdicts[1]!]
  t.ok(late.at - early.at > 60_000, 'one clock is ahead')
  t.strictSame(
    verdicts.map(({ remaining }) => remaining),
    [...Array.from({ length: LIMIT }, (_, n) => LIMIT - 1 - n), 0, 0],
  )
  t.strictSame(
    verdicts.map(({ allowed }) => allowed),
    verdicts.map((_, n) => n < LIMIT),
  )
  for (const { reset } of verdicts.slice(0, 2)) t.ok(reset > 1 && reset <= 60, `${reset} s are left`)
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
