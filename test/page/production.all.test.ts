/** In production with small rate limits, users see no refusal: the page waits. */
import t from 'tap'
import { give, picture, rememberTargets, setUp, untilStage } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'

const env = {
  NODE_ENV: 'production',
  JWT_SECRET: 'for the tests of the page, long enough',
  TRUSTED_PROXIES: '127.0.0.1',
}
const guest = { maxFileSize: '1MB' }
const rates = { uploads: { perMinute: 3, perHour: 60 } }
const { open, service } = await setUp(t, { plans: { guest }, rates, page: { name: 'Example Convert' } }, env)

t.test('few requests, and a pause when the service asks for one', async (t) => {
  const proxy = await startProxy('', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' })
  t.teardown(proxy.close)
  proxy.target = service.base
  const page = await open(`${proxy.base}/`)
  t.equal(await page.title(), 'Example Convert')
  await rememberTargets(page, { png: 'webp' })
  // The requests of the first load are sent before the counting begins.
  await page.getByText('Up to 1 MB per file').waitFor()
  const asked: string[] = []
  const refused: number[] = []
  page.on('request', (request) => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  page.on('response', (answer) => void (answer.status() >= 400 && refused.push(answer.status())))
  await page.reload()
  await page.locator('.drop-button').waitFor()
  await page.getByText('Up to 1 MB per file').waitFor()

  const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(1_000_001) }
  await give(page, large)
  await untilStage(page, 'large.png', 'failed')
  t.match(await page.locator('.problem').innerText(), /^This file is .+\. The limit is 1 MB\.$/)
  t.notOk(asked.includes('POST /api/uploads'), 'said before a byte is sent')

  await give(page, await picture('a.png'), await picture('b.png'), await picture('c.png'), await picture('d.png'))
  // Two are sent at the same time, so which of them is the fourth depends on chance.
  const rows = page.locator('.files .row[data-stage="ready"]')
  await rows.nth(2).waitFor()
  const ready: string[] = []
  for (const name of ['a.png', 'b.png', 'c.png', 'd.png'])
    if ((await rows.filter({ hasText: name }).count()) === 1) ready.push(name)
  await page.getByText(/The service limits requests\. The page continues in \d+ s\./).waitFor()
  t.equal(asked.filter((one) => one === 'POST /api/uploads').length, 3, 'it does not even try the fourth')
  // By key: when the pause ends, its line disappears, and everything below it moves.
  for (const name of ready.slice(0, 2)) await page.getByRole('button', { name: `Options for ${name}` }).press('Enter')
  await page.getByLabel('Quality').nth(1).waitFor()
  t.equal(asked.filter((one) => one === 'GET /api/formats').length, 1)
  t.equal(asked.filter((one) => one === 'GET /api/tools').length, 1, 'the options of a kind are asked for once')
  await page.getByRole('button', { name: 'Convert 4 files' }).click()
  for (const name of ready) await untilStage(page, name, 'done')
  t.strictSame(refused, [])
  t.equal(await page.locator('.problem').count(), 1, 'of the file that is too large')
})
