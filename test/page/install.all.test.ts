/** The installed page: its manifest, files that other programs share with it or open with it, and what offers it. */
import sharp from 'sharp'
import t from 'tap'
import { give, setUp, stub, untilStage } from '../harness/browser.ts'
import { proxyOf } from '../harness/servers/proxy.ts'
import { MISSED, send, share, untilReady } from './share.ts'

const { open, service } = await setUp(t)

t.test('under /convert/: Chromium accepts the manifest, and its icons are what it says', async (t) => {
  const proxy = await proxyOf(t, service.base, { prefix: '/convert' })
  const page = await open(`${proxy.base}/convert/`)
  const session = await page.context().newCDPSession(page)
  const { url, errors, data } = await session.send('Page.getAppManifest')
  t.strictSame(errors, [])
  t.equal(url, `${proxy.base}/convert/page/manifest.webmanifest`)
  const manifest = JSON.parse(data!)
  const resolved = (path: string) => String(new URL(path, url))
  for (const path of [manifest.start_url, manifest.scope, manifest.file_handlers[0].action])
    t.equal(resolved(path), `${proxy.base}/convert/`)
  t.equal(resolved(manifest.share_target.action), `${proxy.base}/convert/page/share`)
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(resolved(src))
    const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata()
    if (sizes !== 'any') t.equal(`${width}x${height}`, sizes)
  }
  const touch = await page.getAttribute('link[rel=apple-touch-icon]', 'href')
  t.equal((await fetch(new URL(touch!, page.url()))).status, 200)

  await untilReady(page)
  await share(page, `${proxy.base}/convert/page/share`)
  await page.getByRole('button', { name: 'Add the files' }).click()
  await untilStage(page, 'notes ü.txt', 'ready')
})

t.test('files that reach the service, as no service worker took them: the page says so', async (t) => {
  const page = await open(undefined, { serviceWorkers: 'block' })
  await send(page, `${service.base}/page/share`)
  const missed = page.getByText(MISSED)
  await missed.waitFor()
  t.equal(page.url(), `${service.base}/`)
  t.equal(await page.locator('.files .row').count(), 0)
  await give(page, stub('chosen.stub'))
  await untilStage(page, 'chosen.stub', 'ready')
  t.equal(await missed.count(), 0)
})

t.test('files that the system opens with the page', async () => {
  const page = await open('about:blank', {}, 'html')
  await page.addInitScript(() => {
    const handle = { getFile: async () => new File(['STUB\nopened'], 'opened.stub') }
    const launchQueue = { setConsumer: (take: (launch: object) => void) => take({ files: [handle] }) }
    Object.defineProperty(window, 'launchQueue', { value: launchQueue })
  })
  page.removeAllListeners('request')
  await page.goto(`${service.base}/`)
  await untilStage(page, 'opened.stub', 'ready')
})

t.test('the settings offer to install the page only while the browser does', async (t) => {
  const page = await open()
  await untilReady(page)
  const button = page.getByRole('button', { name: 'Install the app' })
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').waitFor()
  t.equal(await button.count(), 0)
  await page.evaluate(() => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => (document.body.dataset.asked = 'yes'),
    })
    dispatchEvent(event)
  })
  await button.click()
  t.equal(await page.getAttribute('body', 'data-asked'), 'yes')
  t.equal(await button.count(), 0)
})

t.test('on plain HTTP nothing of it is offered, and nothing is logged', async (t) => {
  const page = await open(`${service.base.replace('127.0.0.1', 'athanor.test')}/`)
  const said: string[] = []
  const asked: string[] = []
  page.on('console', (message) => void said.push(message.text()))
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').waitFor()
  t.equal(await page.getByRole('button', { name: 'Install the app' }).count(), 0)
  t.strictSame([...said, ...asked.filter((path) => /install|worker/.test(path))], [])
})
