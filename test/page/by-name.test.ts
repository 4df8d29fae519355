/** The scenario at a name that is not localhost, on plain HTTP: without what browsers offer to secure pages only. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { imports, playScenario } from './scenario.ts'

t.test('the scenario at http://athanor.test', async (t) => {
  const { open, service } = await setUp(t, { imports })
  const page = await open(`${service.base.replace('127.0.0.1', 'athanor.test')}/`)
  t.notOk(await page.evaluate('isSecureContext'))
  await playScenario(t, page)
  const stored = await page.evaluate(() => Object.entries(localStorage))
  t.strictSame(stored.map(([key]) => key).sort(), ['athanor.guest', 'athanor.settings'])
  t.match(Object.fromEntries(stored)['athanor.guest'], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  t.strictSame(await page.context().cookies(), [])
})
