/** The page at other addresses: by name over plain HTTP, under a prefix behind a proxy; and while the service is away. */
import t from 'tap'
import { choose, give, picture, row, setSleep, setUp, startSlow, stub, untilStage, violations } from './household.ts'
import { startProxy } from './proxy.ts'

const { open, service } = await setUp(t)

/** Converts a picture on an open page, and returns the name of the saved file. */
async function convertOne(page: Awaited<ReturnType<typeof open>>): Promise<string> {
  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  await page.getByRole('button', { name: 'Options for a.png' }).click()
  await page.getByLabel('Quality').fill('50')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  return (await saving).suggestedFilename()
}

t.test('at a name that is not localhost, on plain HTTP', async (t) => {
  const page = await open(`${service.base.replace('127.0.0.1', 'athanor.test')}/`)
  t.notOk(await page.evaluate('isSecureContext'))
  t.equal(await convertOne(page), 'a.jpg')
  const stored = await page.evaluate(() => Object.entries(localStorage))
  t.strictSame(stored.map(([key]) => key).sort(), ['athanor.guest', 'athanor.settings'].slice(0, stored.length))
  t.match(
    stored.find(([key]) => key === 'athanor.guest')![1],
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
  )
  t.strictSame(await page.context().cookies(), [])
})

t.test('under /convert/ behind a reverse proxy', async (t) => {
  const proxy = await startProxy('/convert')
  t.teardown(proxy.close)
  proxy.target = service.base
  const page = await open(`${proxy.base}/convert/`)
  t.equal(await convertOne(page), 'a.jpg')
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
  await page.reload()
  await earlier.first().waitFor()
  t.equal(await earlier.count(), 1)
})

t.test('the history: when results are deleted, and converting the same source again', async (t) => {
  const page = await open()
  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  await choose(page, 'a.png', 'webp')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'a.png', 'done')
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

  await page.getByRole('button', { name: 'Remove a.png' }).click()
  await earlier.getByRole('button', { name: 'Convert a.webp again' }).click()
  await page.getByText('The source file is no longer here. Add it again.').waitFor()
  t.strictSame(await violations(page), [])
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
  const told = page.locator('.history').getByText('has expired or was removed')
  await told.waitFor()
  // The next try shows only its own outcome.
  const held = Promise.withResolvers<void>()
  await page.route('**/api/conversions/*', (route) => held.promise.then(() => route.continue()))
  await button.click()
  await told.waitFor({ state: 'detached' })
  held.resolve()
  await told.waitFor()
})

t.test('options that cannot be loaded say so, and are tried again', async () => {
  const page = await open()
  await page.route('**/api/tools?*', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await give(page, stub('story.stub'))
  await untilStage(page, 'story.stub', 'ready')
  await page.getByRole('button', { name: 'Options for story.stub' }).click()
  await page.getByRole('alert').getByText('The service answered with 500.').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('sleep').waitFor()
})

t.test('the service disappears during an upload and during a conversion, and comes back', async (t) => {
  const proxy = await startProxy()
  t.teardown(proxy.close)
  proxy.target = service.base
  const page = await open(`${proxy.base}/`)
  await startSlow(page, 'running.stub', 4000)
  proxy.target = undefined
  await page.getByText('No connection to the service').waitFor()
  await give(page, stub('late.stub'))
  proxy.target = service.base
  await untilStage(page, 'running.stub', 'done')
  await untilStage(page, 'late.stub', 'ready')
  t.equal(await page.locator('.problem').count(), 0)
  t.notOk(await page.getByText('No connection to the service').isVisible())
})

t.test('a failure is shown next to its file, with the message of the service and advice', async (t) => {
  const page = await open()
  await give(page, stub('bad.stub'), stub('fine.stub'))
  for (const name of ['bad.stub', 'fine.stub']) await untilStage(page, name, 'ready')
  await page.getByRole('button', { name: 'Options for bad.stub' }).click()
  await page.getByLabel('fail').selectOption('encrypted')
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await untilStage(page, 'fine.stub', 'done')
  await untilStage(page, 'bad.stub', 'failed')
  t.match(
    await row(page, 'bad.stub').locator('.problem').innerText(),
    /^The stub is locked\. Save a copy without a password/,
  )
  t.equal(await page.locator('#summary').textContent(), '1 file converted. 1 failed.')
})
