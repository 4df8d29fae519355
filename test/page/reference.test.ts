/** The API reference at /docs, closed and open, in both colour schemes and in a narrow window. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { expectAccessible } from './accessible.ts'

const { open, service } = await setUp(t)

/** A GET with parameters, a POST with a body, and one with a file. */
const OPERATIONS = { Catalogue: 'listTools', Conversions: 'startConversion', Files: 'uploadFile' }

for (const [kind, options] of Object.entries({
  'light and wide': { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'dark and wide': { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
} as const))
  t.test(`${kind}: axe finds nothing in the reference, and nothing is cut off`, async (t) => {
    const page = await open(`${service.base}/docs`, options, '.opblock-tag')
    await expectAccessible(t, page, 'closed')
    for (const [tag, id] of Object.entries(OPERATIONS)) {
      await page.locator('.opblock-tag', { hasText: new RegExp(`^${tag}`) }).click()
      const operation = page.locator(`[id$="-${id}"]`)
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.execute').waitFor()
      await operation.locator('.responses-table').waitFor()
    }
    await expectAccessible(t, page, 'open')
    const colours = await page
      .locator('#reference a[href]')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
    t.ok(colours.length > 0)
    t.notOk(colours.includes('rgb(73, 144, 226)'), 'no colour of stock Swagger UI')
  })
