/** The installed page: its manifest, files that other programs share with it or open with it, and what offers it. */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { give, setUp, stub, untilStage } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'

const { open, service } = await setUp(t)

/** Waits until the service worker takes shared files. */
const untilReady = (page: Page) =>
  page.waitForFunction(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.some(({ active }) => active?.state === 'activated')
  })

t.test('under /convert/: Chromium accepts the manifest, and its icons are what it says', async (t) => {
  const proxy = await startProxy('/convert')
  t.teardown(proxy.close)
  proxy.target = service.base
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
  const scopes = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  )
  t.strictSame(scopes, ['/convert/page/'])
  await share(page, 'convert/page/share')
  await untilStage(page, 'notes ü.txt', 'ready')
})

const MISSED = 'Your browser did not hand over the shared files'

/** Shares two files with the page, until the browser hands them to the service worker. On a busy machine, it may not at first. */
async function share(page: Page, action: string): Promise<void> {
  const [row, missed] = [page.locator('.files .row').first(), page.getByText(MISSED)]
  for (let attempt = 1; attempt <= 20; attempt++) {
    // What an earlier attempt has shown goes with its document.
    const loaded = page.waitForEvent('load')
    await send(page, action)
    await loaded
    await row.or(missed).first().waitFor()
    if (await row.count()) return
    await untilReady(page)
  }
}

/** Sends a form as browsers send shared files. */
const send = (page: Page, action: string) =>
  page.evaluate((action) => {
    const form = document.createElement('form')
    Object.assign(form, { action: `/${action}`, method: 'POST', enctype: 'multipart/form-data' })
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', name: 'files', multiple: true })
    const files = new DataTransfer()
    files.items.add(new File(['STUB\nshared'], 'story.stub'))
    files.items.add(new File(['A note.'], 'notes ü.txt', { type: 'text/plain' }))
    input.files = files.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }, action)

t.test('shared files arrive in the list, once', async (t) => {
  const page = await open()
  await untilReady(page)
  await share(page, 'page/share')
  for (const name of ['story.stub', 'notes ü.txt']) await untilStage(page, name, 'ready')
  t.equal(await page.locator('.files .row').count(), 2)
  t.equal(page.url(), `${service.base}/`)
  const kept = await page.evaluate(async () => (await (await caches.open('athanor-shared')).keys()).length)
  t.equal(kept, 0, 'the browser keeps none of them')
  await page.goto(`${service.base}/#shared`)
  await page.reload()
  await page.locator('.drop-button').waitFor()
  t.equal(await page.locator('.files .row').count(), 0)
})

t.test('files that reach the service, as no service worker took them: the page says so', async (t) => {
  const page = await open(undefined, { serviceWorkers: 'block' })
  await send(page, 'page/share')
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
  const page = await open('about:blank', {}, 'html')
  page.removeAllListeners('request')
  const said: string[] = []
  const asked: string[] = []
  page.on('console', (message) => void said.push(message.text()))
  page.on('pageerror', (error) => void said.push(error.message))
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.goto(`${service.base.replace('127.0.0.1', 'athanor.test')}/`)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').waitFor()
  t.equal(await page.getByRole('button', { name: 'Install the app' }).count(), 0)
  t.strictSame(said, [])
  t.strictSame(
    asked.filter((path) => /install|worker/.test(path)),
    [],
  )
})
