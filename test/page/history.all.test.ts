/** The history of the page: conversions of earlier visits, and results that the list no longer shows. */
import type { Page } from 'playwright-core'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import { album } from '../fixtures/scan.ts'
import { convertTo, give, row, savedBy, setUp, startSlow, stub, violations } from '../harness/browser.ts'

const { open, service } = await setUp(t)
const history = (page: Page) => page.getByRole('region', { name: 'Earlier conversions' })

t.test('after a reload: converted and running files, true names, and a source that is gone', async (t) => {
  const page = await open()
  const buffer = await album(['(One) Tj', '(Two) Tj'])
  await convertTo(page, { name: 'Größe & Maß.pdf', mimeType: 'application/pdf', buffer }, 'jpg')
  await row(page, 'Größe & Maß.pdf').getByText('2 pages as ZIP').waitFor()
  await convertTo(page, stub('one.stub'), 'bust')
  await startSlow(page, 'two.stub', 6000)
  await page.reload()
  const earlier = history(page).locator('.row')
  await earlier.nth(2).waitFor()
  t.match(await earlier.filter({ hasText: 'one.bust' }).innerText(), /22 bytes → \d+ bytes[\s\S]+deleted in 2 hours/)
  await page.getByRole('button', { name: 'Download two.bust' }).waitFor()
  const saved = await savedBy(page, () => page.getByRole('button', { name: 'Download Größe & Maß.zip' }).click())
  t.equal(saved.name, 'Größe & Maß.zip')
  await page.route('**/api/conversions/*/source', (route) => route.fulfill({ status: 404, body: '{}' }))
  await page.getByRole('button', { name: 'Convert one.bust again' }).click()
  await page.getByText(english['error.NOT_FOUND']).waitFor()
  t.strictSame(await violations(page), [])
})

t.test('all files are deleted, by the keyboard, after a question', async (t) => {
  const page = await open()
  await convertTo(page, stub('old.stub'), 'bust')
  // Uploaded in an earlier visit, and never converted.
  const [uploaded] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/api/uploads')),
    give(page, stub('never.stub')),
  ])
  const { path } = (await uploaded.json()).file
  const headers = { 'x-guest-fingerprint': (await uploaded.request().allHeaders())['x-guest-fingerprint']! }
  const status = async () => (await fetch(service.base + path, { headers })).status
  await page.goto('about:blank')
  await page.goto(`${service.base}/`)
  await startSlow(page, 'slow.stub', 60_000)
  const button = history(page).getByRole('button', { name: 'Delete all my files' })
  const dialog = page.getByRole('dialog', { name: 'Delete all my files' })
  const press = async (...keys: string[]) => {
    await button.press('Enter')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    for (const key of keys) await page.keyboard.press(key)
    await dialog.waitFor({ state: 'hidden' })
  }
  await press('Escape')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Delete all my files')
  await press('Enter')
  t.equal(await status(), 200, 'neither Escape nor Cancel deletes')
  await page.route('**/api/files/all', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await press('Tab', 'Enter')
  await history(page).getByRole('status').getByText(english['error.INTERNAL_SERVER_ERROR']).waitFor()
  t.equal(await row(page, 'slow.stub').count(), 1, 'nothing is lost')
  await press('Tab', 'Enter')
  await history(page).getByRole('status').getByText(english['history.emptied']).waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('.history'))
  t.equal(await page.locator('.row').count(), 0)
  t.strictSame(await violations(page), [])
  t.equal(await status(), 404, 'also what was only uploaded')
  const { conversions } = await (await fetch(`${service.base}/api/conversions`, { headers })).json()
  t.strictSame(conversions, [], 'also what was running')
})

t.test('a result that moves to the history is there once, and says when it is gone', async (t) => {
  const page = await open()
  const loading = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === '/api/conversions' && url.search !== '',
    (route) => loading.promise.then(() => route.continue()),
  )
  await page.reload()
  await page.locator('.drop-button').waitFor()
  await convertTo(page, stub('once.stub'), 'bust')
  // The history is loaded late, so that it contains the file of the list.
  const [loaded] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).searchParams.has('limit')),
    loading.resolve(),
  ])
  await loaded.finished()
  await page.getByRole('button', { name: 'Convert once.stub again' }).click()
  await history(page).locator('.row').first().waitFor()
  t.equal(await history(page).locator('.row').count(), 1)
  await page.reload()
  const error = { code: 'NOT_FOUND', message: 'It is gone' }
  await page.route('**/api/conversions/*', (route) => route.fulfill({ status: 404, json: { error } }))
  await page.getByRole('button', { name: 'Download once.bust' }).click()
  await page.locator('.history').getByText(english['error.NOT_FOUND']).waitFor()
})
