/** The scenario under a path, as a reverse proxy serves it. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'
import { imports, playScenario } from './scenario.ts'

t.test('the scenario under /convert/', async (t) => {
  const { open, service } = await setUp(t, { imports })
  const proxy = await startProxy('/convert')
  t.teardown(proxy.close)
  proxy.target = service.base
  await playScenario(t, await open(`${proxy.base}/convert/`))
})
