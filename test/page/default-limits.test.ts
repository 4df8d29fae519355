/** The scenario in production, behind TLS, with the default limits and rates of guests. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'
import { imports, playScenario } from './scenario.ts'

const env = {
  NODE_ENV: 'production',
  JWT_SECRET: 'for the tests of the page, long enough',
  TRUSTED_PROXIES: '127.0.0.1',
}

t.test('the scenario in production', async (t) => {
  const { open, service } = await setUp(t, { imports, plans: {} }, env)
  const proxy = await startProxy('', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' })
  t.teardown(proxy.close)
  proxy.target = service.base
  await playScenario(t, await open(`${proxy.base}/`))
})
