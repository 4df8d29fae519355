/** The page while the service is away, is killed or refuses something, and behind a hard proxy. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import { give, row, setSleep, setUp, startSlow, stub, untilStage, violations } from '../harness/browser.ts'
import { proxyOf } from '../harness/servers/proxy.ts'

const { open, service, restart } = await setUp(t, { plans: { guest: { maxFileSize: '100MB' } } })

t.test('options that cannot be loaded say so, and are tried again', async () => {
  const page = await open()
  await page.route('**/api/tools?*', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await give(page, stub('story.stub'))
  await untilStage(page, 'story.stub', 'ready')
  await page.getByRole('button', { name: 'Options for story.stub' }).click()
  await page.getByRole('alert').getByText(english['error.INTERNAL_SERVER_ERROR']).waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('sleep').waitFor()
})

t.test('a refused option is marked at its field, which gets the focus', async (t) => {
  const page = await open()
  // The page knows no bound of an option.
  await page.route('**/api/tools?*', async (route) => {
    const answer = await route.fetch()
    const { tools } = await answer.json()
    for (const { options } of tools) delete options.properties.sleep.maximum
    await route.fulfill({ response: answer, json: { tools } })
  })
  await give(page, stub('odd.stub'))
  await untilStage(page, 'odd.stub', 'ready')
  await setSleep(page, 'odd.stub', 700_000)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'odd.stub', 'failed')
  await row(page, 'odd.stub').locator('.problem').getByText('An option has a value that is not possible.').waitFor()
  const field = page.getByLabel('sleep', { exact: true })
  await page.waitForFunction((one) => document.activeElement === one, await field.elementHandle())
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  const hint = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
  t.equal(await hint.innerText(), 'This value is not possible.')
  t.strictSame(await violations(page), [])
  await field.fill('5')
  await hint.getByText('Milliseconds of work').waitFor()
  t.equal(await field.getAttribute('aria-invalid'), null, 'until it is changed')
  await page.getByRole('button', { name: 'Try again: odd.stub' }).press('Enter')
  await untilStage(page, 'odd.stub', 'done')
})

t.test('behind a proxy that keeps events back, the page polls', async (t) => {
  const proxy = await proxyOf(t, service.base, { holdsEvents: true })
  const page = await open(`${proxy.base}/`)
  const polls: string[] = []
  page.on('request', (request) => {
    if (/conversions\/conv_.*[?&]wait=/.test(request.url())) polls.push(request.url())
  })
  await startSlow(page, 'slow.stub', 8000)
  await untilStage(page, 'slow.stub', 'done')
  t.ok(polls.length > 0)
})

// The last one: the others need the service at its first address.
t.test('killed in the middle of a conversion and of a large upload', async (t) => {
  const proxy = await proxyOf(t, service.base)
  const page = await open(`${proxy.base}/`)
  await startSlow(page, 'running.stub', 3000)

  // A text of random digits: recognised by its first line, too large for one request.
  const buffer = Buffer.concat([Buffer.from('STUB\n'), Buffer.from(randomBytes(15_000_000).toString('hex'))])
  const asked: string[] = []
  page.on('request', (request) => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const arrives = page.waitForRequest((request) => request.method() === 'PATCH')
  await give(page, { name: 'large.stub', mimeType: 'text/plain', buffer })
  await arrives
  await service.end('SIGKILL')
  proxy.target = undefined
  await page.getByText('No connection to the service').waitFor()

  proxy.target = (await restart()).base
  await untilStage(page, 'running.stub', 'done')
  await untilStage(page, 'large.stub', 'ready')
  t.equal(await page.locator('.problem').count(), 0)
  t.equal(asked.filter((one) => one === 'POST /api/uploads/tus').length, 1, 'begun once')
  t.equal(new Set(asked.filter((one) => one.startsWith('PATCH '))).size, 1)
  t.ok(asked.filter((one) => one.startsWith('PATCH ')).length > 1, 'and continued')
})
