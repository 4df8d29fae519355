/** Changes the configuration of a running service, by a signal and by the command. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { admin } from '../harness/inside.ts'
import { pluginsOf, startAthanor } from '../harness/program.ts'
import { until } from '../harness/until.ts'

t.test('plans, rates and tools change without a restart, and an invalid file changes nothing', async (t) => {
  const folder = t.testdir({ data: {} })
  const dataDir = join(folder, 'data')
  const production = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startAthanor(dataDir, { plugins: pluginsOf('stub'), sandbox: 'none' }, production)
  t.teardown(() => service.end('SIGTERM'))
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.yaml'))!)
  const change = (more: object) => writeFileSync(file, stringify({ ...parse(readFileSync(file, 'utf8')), ...more }))
  const ask = (path: string) => fetch(service.base + path, { headers: { 'x-forwarded-proto': 'https' } })
  const lines = (text: string) =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(text))
  async function said(text: string, count: number) {
    await until(() => lines(text).length >= count)
    t.equal(lines(text).length, count, `${text}, ${count} times`)
    return JSON.parse(lines(text).at(-1) ?? '{}')
  }
  const enabled = async () => ((await (await ask('/api/tools/stub-to-bust')).json()) as any).tool.enabled
  const perMinute = async () => (await ask('/api/tools/stub-to-bust')).headers.get('ratelimit-limit')
  const downloads = async () => (await ask('/api/files/none')).headers.get('ratelimit-limit')
  t.strictSame([await enabled(), await perMinute(), await downloads()], [true, '30', '30'])

  change({ tools: { disabled: ['stub-to-bust'] }, rates: { downloads: { perMinute: 7 } }, queue: { capacity: 9 } })
  change({ plans: { guest: { requestsPerMinute: 25 } } })
  process.kill(service.pid, 'SIGUSR2')
  t.match(await said('configuration reloaded', 1), { needRestart: ['queue'] })
  t.strictSame([await enabled(), await perMinute(), await downloads()], [false, '25', '7'])

  const { stdout } = await admin({ DATA_DIR: dataDir }, 'tool', 'list')
  const closed = /^stub-to-bust +scribe +closed by configuration$/m
  t.match(stdout, closed, 'a command reads the configuration of the service')

  change({ rates: { downloads: { perMinut: 9 } } })
  process.kill(service.pid, 'SIGUSR2')
  t.match(await said('configuration not reloaded', 1), { level: 50, reason: /perMinut is unknown: did you mean/ })
  change({ rates: { downloads: { perMinute: 9 } }, tools: { disabled: ['stub-to-bost'] } })
  process.kill(service.pid, 'SIGUSR2')
  t.match(await said('configuration not reloaded', 2), { reason: /stub-to-bost/ })
  // The old one stays in effect.
  t.strictSame([await enabled(), await perMinute(), await downloads()], [false, '25', '7'])

  change({ tools: { disabled: [] } })
  const reload = (...args: string[]) =>
    admin({ ...production, DATA_DIR: dataDir, CONFIG_FILE: file }, 'reload', ...args)
  t.match((await reload()).stdout, /^\S+: reloaded\. After a restart, these take effect too: queue\n$/)
  await said('configuration reloaded', 2)
  t.strictSame([await enabled(), await downloads()], [true, '9'], 'by the command too')

  change({ tools: { disabled: ['stub-to-bost'] } })
  const refused = /"reloaded": false,\s+"reason": "tools\.disabled: .*stub-to-bost/
  t.match(await reload('--json'), { code: 1, stdout: refused })
  t.equal(await enabled(), true)
  t.strictSame(
    lines('').filter((line) => line && !line.startsWith('{')),
    [],
    'in production, the log has nothing but JSON',
  )
  t.match(
    lines('"ready"').map((line) => JSON.parse(line)),
    [{ url: service.base.replace('127.0.0.1', 'localhost') }],
  )
  t.notMatch(service.log(), /"action":"reload\.answered"/, 'an answer is no change by an administrator')
})
