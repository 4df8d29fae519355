/** The scenario while the service is killed and started again, several times. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'
import { imports, playScenario } from './scenario.ts'

/** Files are only uploaded; one is converted, and others are done; all are done; the history is shown. */
const STEPS = ['ready', 'progress', 'done', 'history']

t.test('the scenario, with the service killed in the middle', async (t) => {
  const { open, service, restart } = await setUp(t, { imports })
  const proxy = await startProxy()
  t.teardown(proxy.close)
  proxy.target = service.base
  await playScenario(t, await open(`${proxy.base}/`), async (step) => {
    if (!STEPS.includes(step)) return
    proxy.target = undefined
    proxy.target = (await restart()).base
  })
})
