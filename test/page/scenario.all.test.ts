/**
 * The scenario in other surroundings: behind proxies, on plain HTTP, with default limits, in other looks, with a
 * service that dies.
 */
import { join } from 'node:path'
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { proxyOf } from '../harness/servers/proxy.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'
import { imports, playScenario } from './scenario.ts'

const shared = await setUp(t, { imports })

t.test('at http://athanor.test: without what browsers offer to secure pages only', async (t) => {
  const page = await shared.open(`${shared.service.base.replace('127.0.0.1', 'athanor.test')}/`)
  t.notOk(await page.evaluate('isSecureContext'))
  await playScenario(t, page)
  const stored = await page.evaluate(() => Object.entries(localStorage))
  t.strictSame(stored.map(([key]) => key).sort(), ['athanor.guest', 'athanor.settings'])
  t.match(Object.fromEntries(stored)['athanor.guest'], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  t.strictSame(await page.context().cookies(), [])
})

/** Where a picture of each state goes, if the variable SCREENSHOTS is set. */
const screenshots = process.env.SCREENSHOTS && join(import.meta.dirname, 'screenshots')

const looks = {
  'forced colours and reduced motion, dark, as narrow as a small phone': {
    ...({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme: 'dark', hasTouch: true } as const),
    viewport: { width: 320, height: 640 },
  },
  'at 200 % zoom': { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
} as const
for (const [name, look] of Object.entries(looks))
  t.test(name, async (t) => {
    const page = await shared.open(undefined, look)
    await playScenario(t, page, async (step) => {
      await expectAccessible(t, page, step)
      await expectLargeTargets(t, page, step)
      if (screenshots) await page.screenshot({ path: join(screenshots, `${name}, ${step}.png`), fullPage: true })
    })
  })

t.test('in production, behind TLS, with the default limits and rates of guests', async (t) => {
  const env = { NODE_ENV: 'production', JWT_SECRET: 'for the tests of the page, long enough' }
  const { open, service } = await setUp(t, { imports, plans: {} }, { ...env, TRUSTED_PROXIES: '127.0.0.1' })
  const proxy = await proxyOf(t, service.base, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' },
  })
  await playScenario(t, await open(`${proxy.base}/`))
})

// The last one: the other tests need the service at its first address.
t.test('with a service that is killed and started again', async (t) => {
  const proxy = await proxyOf(t, shared.service.base)
  // Files are only uploaded; one is converted, and others are done; all are done; the history is shown.
  const steps = ['ready', 'progress', 'done', 'history']
  await playScenario(t, await shared.open(`${proxy.base}/`), async (step) => {
    if (!steps.includes(step)) return
    proxy.target = undefined
    proxy.target = (await shared.restart()).base
  })
})
