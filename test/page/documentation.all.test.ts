/** The documentation at /docs in a real browser: the API reference, closed, open and with its console, and a guide. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { proxyOf } from '../harness/servers/proxy.ts'
import { expectAccessible } from './accessible.ts'

const { open, service } = await setUp(t)
const OPERATION = '.opblock-summary'

t.test('the reference sends a request to the service, also under a prefix', async (t) => {
  const proxy = await proxyOf(t, service.base, { prefix: '/convert' })
  for (const base of [service.base, `${proxy.base}/convert`]) {
    const page = await open(`${base}/docs`, {}, '.opblock-tag')
    await page.locator('.opblock-tag', { hasText: 'Catalogue' }).click()
    await page.locator(OPERATION, { hasText: '/api/formats' }).first().click()
    await page.getByRole('button', { name: 'Execute' }).click()
    const answer = page.locator('.live-responses-table')
    await answer.waitFor()
    t.equal(await answer.locator('.response-col_status').last().innerText(), '200')
    t.equal(await page.locator('.request-url pre').innerText(), `${base}/api/formats`)
    t.match(await answer.locator('.response-col_description').last().innerText(), '"jpg"')
    const linked = await open(page.url(), {}, '.opblock-tag')
    await linked.getByRole('button', { name: 'Execute' }).waitFor()
  }
})

/** A GET with parameters, a POST with a body, and one with a file. */
const OPERATIONS = { Catalogue: 'listTools', Conversions: 'startConversion', Files: 'uploadFile' }

for (const [kind, options] of Object.entries({
  'light and wide': { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
} as const))
  t.test(`${kind}: axe finds nothing in a guide and the reference, and nothing is cut off`, async (t) => {
    const page = await open(`${service.base}/docs/configuration`, options, '.guide')
    await expectAccessible(t, page, 'the guide')
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.locator('.opblock-tag').first().waitFor()
    const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))
    t.equal(isDark, kind.startsWith('dark'))
    await expectAccessible(t, page, 'closed')
    for (const [tag, id] of Object.entries(OPERATIONS)) {
      await page.locator('.opblock-tag', { hasText: new RegExp(`^${tag}`) }).click()
      const operation = page.locator(`[id$="-${id}"]`)
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.execute').waitFor()
      await operation.locator('.responses-table').waitFor()
    }
    await expectAccessible(t, page, 'open')
  })

for (const [language, width, colorScheme] of [
  ['en', 1280, 'light'],
  ['de', 320, 'dark'],
  ['ar', 720, 'light'],
] as const)
  t.test(`axe finds nothing in the help in ${language}, and nothing is cut off`, async (t) => {
    const options = { colorScheme, viewport: { width, height: 700 } }
    const page = await open(`${service.base}/help/${language}`, options, '.guide')
    await expectAccessible(t, page, 'the help')
  })
