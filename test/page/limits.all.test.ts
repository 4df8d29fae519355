/** Limits: what is left is said before it hurts, and the page waits before it is refused. */
import t from 'tap'
import { give, picture, rememberTargets, setUp, untilStage, violations } from '../harness/browser.ts'
import { proxyOf } from '../harness/servers/proxy.ts'

t.test('few requests, and a pause when the service asks for one', async (t) => {
  const secret = 'for the tests of the page, long enough'
  const env = { NODE_ENV: 'production', JWT_SECRET: secret, TRUSTED_PROXIES: '127.0.0.1' }
  const rates = { uploads: { perMinute: 3, perHour: 60 } }
  const config = { plans: { guest: { maxFileSize: '1MB' } }, rates, page: { name: 'Example Convert' } }
  const { open, service } = await setUp(t, config, env)
  const proxy = await proxyOf(t, service.base, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' },
  })
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

  const names = ['a.png', 'b.png', 'c.png', 'd.png']
  await give(page, ...(await Promise.all(names.map((name) => picture(name)))))
  // Two are sent at the same time, so which of them is the fourth depends on chance.
  await page.locator('.files .row[data-stage="ready"]').nth(2).waitFor()
  await page.getByText(/The service limits requests\. The page continues in \d+ s\./).waitFor()
  t.equal(asked.filter((one) => one === 'POST /api/uploads').length, 3, 'it does not even try the fourth')
  t.equal(asked.filter((one) => one === 'GET /api/formats').length, 1)
  await page.getByRole('button', { name: 'Convert 4 files' }).click()
  for (const name of names) await untilStage(page, name, 'done')
  t.strictSame(refused, [])
})

t.test('what is left today, before and after conversions, of conversions and of bytes', async (t) => {
  const { open } = await setUp(t, {
    plans: { guest: { conversionsPerDay: 3, bytesPerDay: '250MB', filesPerBatch: 2 } },
  })
  const page = await open()
  await page.getByText('Left today: 3 conversions').waitFor()
  const files = await Promise.all(['a', 'b', 'c', 'd'].map((name) => picture(`${name}.png`)))
  await give(page, ...files)
  for (const { name } of files) await untilStage(page, name, 'ready')
  const said = page.locator('.actions .allowance.short')
  t.equal((await said.innerText()).trim(), '3 of your 4 files can be converted today. Sign in for 25.')
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Remove d.png' }).click()
  // It is enough for three.
  await said.waitFor({ state: 'detached' })
  await page.locator('.actions .wanted').getByRole('button', { name: 'WEBP' }).click()
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  for (const { name } of files.slice(0, 3)) await untilStage(page, name, 'done')
  await give(page, files[3]!)
  await page.getByText('This file cannot be converted today any more. Sign in for 25.').waitFor()
})
