/** Windows of rate limits in Redis, of nodes whose clocks differ. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import type { RateVerdict } from '../../kernel/http/rates/window.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { FAKE } from './clocks.ts'

const LIMIT = 30

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
  const late = verdicts[0]!
  const early = verdicts[1]!
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
