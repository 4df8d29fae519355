/** The documentation at /docs in a real browser: the reference with its console, and a guide. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { expectAccessible } from './accessible.ts'
import { startProxy } from './proxy.ts'

const { open, service } = await setUp(t)
const OPERATION = '.opblock-summary'

t.test('the reference sends a request to the service, also under a prefix', async (t) => {
  const proxy = await startProxy('/convert')
  t.teardown(proxy.close)
  proxy.target = service.base
  for (const base of [service.base, `${proxy.base}/convert`]) {
    const page = await open(`${base}/docs`, {}, '.opblock-tag')
    await page.locator('.opblock-tag', { hasText: 'Catalogue' }).click()
    await page.locator(OPERATION, { hasText: '/api/formats' }).first().click()
    await page.getByRole('button', { name: 'Execute' }).click()
    const answer = page.locator('.live-responses-table')
    await answer.waitFor()
    t.equal(await answer.locator('.response-col_status').last().innerText(), '200')
    t.equal(
      await answer
        .locator('.request-url pre')
        .innerText()
        .catch(() => page.locator('.request-url pre').innerText()),
      `${base}/api/formats`,
    )
    t.match(await answer.locator('.response-col_description').last().innerText(), '"jpg"')
  }
})

for (const [kind, options] of Object.entries({
  'light and wide': { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
} as const))
  t.test(`${kind}: axe finds nothing in a guide, and nothing is cut off`, async (t) => {
    const page = await open(`${service.base}/docs/configuration`, options, '.guide')
    await expectAccessible(t, page, 'the guide')
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.locator('.opblock-tag').first().waitFor()
    t.equal(
      await page.evaluate(() => document.documentElement.classList.contains('dark-mode')),
      kind.startsWith('dark'),
    )
  })
