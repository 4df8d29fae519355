/** The service is killed and started again while the page uploads and converts. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { give, setUp, startSlow, untilStage } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'

t.test('killed in the middle of a conversion and of a large upload', async (t) => {
  const { open, service, restart } = await setUp(t, { plans: { guest: { maxFileSize: '100MB' } } })
  const proxy = await startProxy()
  t.teardown(proxy.close)
  proxy.target = service.base
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
