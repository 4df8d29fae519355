/** The history of the page: conversions of earlier visits, and results that the list no longer shows. */
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import { album } from '../fixtures/scan.ts'
import {
  choose,
  convertTo,
  give,
  picture,
  row,
  setSleep,
  setUp,
  startSlow,
  stub,
  untilStage,
  violations,
} from '../harness/browser.ts'

const { open, service } = await setUp(t)

t.test('several pages are counted, and the history has the true name', async () => {
  const page = await open()
  const buffer = await album(['(One) Tj', '(Two) Tj', '(Three) Tj'])
  await convertTo(page, { name: 'Größe & Maß.pdf', mimeType: 'application/pdf', buffer }, 'jpg')
  await row(page, 'Größe & Maß.pdf').getByText('3 pages as ZIP').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Download Größe & Maß.zip' }).waitFor()
})

t.test('after a reload: converted, running and failed files', async (t) => {
  const page = await open()
  await give(page, stub('one.stub'), stub('two.stub'))
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'ready')
  await setSleep(page, 'two.stub', 6000)
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await untilStage(page, 'one.stub', 'done')
  await untilStage(page, 'two.stub', 'processing')
  await page.reload()
  const earlier = page.getByRole('region', { name: 'Earlier conversions' }).locator('.row')
  await earlier.first().waitFor()
  t.equal(await earlier.count(), 2)
  t.match(await earlier.filter({ hasText: 'one.bust' }).innerText(), /22 bytes → \d+ bytes/, 'before and after')
  await page.getByRole('button', { name: 'Download two.bust' }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download one.bust' }).click(),
  ])
  t.equal(saved.suggestedFilename(), 'one.bust')
  await page.getByRole('button', { name: 'Delete one.bust' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete one.bust' }).click()
  await page.reload()
  await earlier.first().waitFor()
  t.equal(await earlier.count(), 1)
})

t.test('the history: when results are deleted, and converting the same source again', async (t) => {
  const page = await open()
  await convertTo(page, await picture('a.png'), 'webp')
  await page.reload()
  const earlier = page.getByRole('region', { name: 'Earlier conversions' })
  t.match(await earlier.locator('.row-kind').innerText(), /deleted in 2 hours/)
  const uploads: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/uploads') && uploads.push(request.method())))
  await earlier.getByRole('button', { name: 'Convert a.webp again' }).click()
  await untilStage(page, 'a.png', 'ready')
  await choose(page, 'a.png', 'bmp')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Convert', exact: true }).click(),
  ])
  t.equal(saved.suggestedFilename(), 'a.bmp')
  t.strictSame(uploads, [], 'the file that the service has')

  // As if it had expired.
  await page.route('**/api/conversions/*/source', (route) => route.fulfill({ status: 404, body: '{}' }))
  await page.getByRole('button', { name: 'Remove a.png' }).click()
  await earlier.getByRole('button', { name: 'Convert a.webp again' }).click()
  await page.getByText(english['error.NOT_FOUND']).waitFor()
  t.strictSame(await violations(page), [])
})

t.test('all files are deleted from the history, by the keyboard, after a question', async (t) => {
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
  const earlier = page.getByRole('region', { name: 'Earlier conversions' })
  const button = earlier.getByRole('button', { name: 'Delete all my files' })
  const dialog = page.getByRole('dialog', { name: 'Delete all my files' })
  const asked = () => page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
  const confirm = async () => {
    await button.press('Enter')
    await asked()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  await button.press('Enter')
  await dialog.getByText(english['history.confirm']).waitFor()
  await asked()
  t.strictSame(await violations(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'Delete all my files')
  await page.keyboard.press('Enter')
  await asked()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  t.equal(await status(), 200, 'neither Escape nor Cancel deletes')

  await page.route('**/api/files/all', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await confirm()
  await earlier.getByRole('status').getByText(english['error.INTERNAL_SERVER_ERROR']).waitFor()
  t.equal(await row(page, 'slow.stub').count(), 1, 'nothing is lost')
  t.strictSame(await violations(page), [])

  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  await confirm()
  await earlier.getByRole('status').getByText(english['history.emptied']).waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('.history'))
  await page.getByRole('heading', { name: english.tagline }).waitFor()
  t.equal(await page.locator('.row').count(), 0)
  t.strictSame(await violations(page), [])
  t.equal(await status(), 404, 'also what was only uploaded')
  const { conversions } = await (await fetch(`${service.base}/api/conversions`, { headers })).json()
  t.strictSame(conversions, [], 'also what was running')

  await give(page, stub('new.stub'))
  await untilStage(page, 'new.stub', 'ready')
  await earlier.waitFor({ state: 'detached' })
})

t.test('a result that moves to the history is there once', async (t) => {
  const page = await open()
  const loading = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === '/api/conversions' && url.search !== '',
    (route) => loading.promise.then(() => route.continue()),
  )
  await page.reload()
  await page.locator('.drop-button').waitFor()
  await give(page, stub('once.stub'))
  await untilStage(page, 'once.stub', 'ready')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'once.stub', 'done')
  // The history is loaded late, so that it contains the file of the list.
  const [loaded] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).searchParams.has('limit')),
    loading.resolve(),
  ])
  await loaded.finished()
  await page.getByRole('button', { name: 'Convert once.stub again' }).click()
  const earlier = page.getByRole('region', { name: 'Earlier conversions' }).locator('.row')
  await earlier.first().waitFor()
  t.equal(await earlier.count(), 1)
})

t.test('a result of the history that is gone says so', async () => {
  const page = await open()
  await give(page, stub('lost.stub'))
  const [started] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/conversions')),
    untilStage(page, 'lost.stub', 'ready').then(() =>
      page.getByRole('button', { name: 'Convert', exact: true }).click(),
    ),
  ])
  const { conversionId } = await started.json()
  await untilStage(page, 'lost.stub', 'done')
  await page.reload()
  const button = page.getByRole('button', { name: 'Download lost.bust' })
  await button.waitFor()
  const headers = { 'x-guest-fingerprint': (await started.request().allHeaders())['x-guest-fingerprint']! }
  await fetch(`${service.base}/api/conversions/${conversionId}`, { method: 'DELETE', headers })
  await button.click()
  const told = page.locator('.history').getByText(english['error.NOT_FOUND'])
  await told.waitFor()
  // The next try shows only its own outcome.
  const held = Promise.withResolvers<void>()
  await page.route('**/api/conversions/*', (route) => held.promise.then(() => route.continue()))
  await button.click()
  await told.waitFor({ state: 'detached' })
  held.resolve()
  await told.waitFor()
})
