/** The list of files: buttons keep their places, nothing is lost by one click, and no target is chosen that loses. */
import { statSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import {
  choose,
  type Given,
  give,
  picture,
  row,
  setSleep,
  setUp,
  stub,
  target,
  untilStage,
} from '../harness/browser.ts'
import { namesIn } from './archives.ts'

const { open, service } = await setUp(t, { queue: { workers: 1 } })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const earlier = (page: Page) => page.getByRole('region', { name: 'Earlier conversions' }).locator('.row')

/** A photo as cameras write it: large for what it shows. */
async function photo(name: string): Promise<Given> {
  const { buffer } = await picture('x.png', 400)
  return { name, mimeType: 'image/jpeg', buffer: await sharp(buffer).jpeg({ quality: 98 }).toBuffer() }
}

/** The buttons that cancel or remove at a point of the window. */
const dangersAt = (page: Page, point: { x: number; y: number }) =>
  page.evaluate(({ x, y }) => {
    const found = document.elementFromPoint(x, y)?.closest('button')
    const name = found?.ariaLabel ?? found?.textContent ?? ''
    return /Stop|Cancel|Clear|Remove|Delete/.test(name) ? name : ''
  }, point)

t.test('a double click starts once, and what cancels or removes never comes under the pointer', async (t) => {
  for (const viewport of [
    { width: 1200, height: 800 },
    { width: 360, height: 740 },
  ]) {
    const page = await open(undefined, { viewport })
    await give(page, stub('one.stub'), stub('two.stub'), stub('three.stub'))
    for (const name of ['one.stub', 'two.stub', 'three.stub']) await untilStage(page, name, 'ready')
    await setSleep(page, 'one.stub', 1500)
    await button(page, 'Options for one.stub').click()
    const starts: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' && /conversions|files/.test(request.url())) starts.push(request.url())
    })
    const convert = button(page, 'Convert 3 files')
    const { x, y, width, height } = (await convert.boundingBox())!
    const points = [0.02, 0.5, 0.98].map((share) => ({ x: x + share * width, y: y + height / 2 }))
    await page.mouse.dblclick(points[1]!.x, points[1]!.y)
    const seen: string[] = []
    const ended = button(page, 'Download all').waitFor()
    let working = true
    void ended.then(() => (working = false))
    await page.getByText('Converting 0 of 3').waitFor()
    while (working) for (const point of points) seen.push(await dangersAt(page, point))
    await ended
    for (const point of points) seen.push(await dangersAt(page, point))
    t.strictSame([...new Set(seen)], [''], `${viewport.width} pixels`)
    // A guest may have two files in a batch.
    const paths = ['conversions/batch', 'conversions']
    t.strictSame(
      starts,
      paths.map((path) => `${service.base}/api/${path}`),
      'each file once',
    )
    const all = (await button(page, 'Download all').boundingBox())!
    t.ok(Math.abs(all.y - y) < 2, 'in the same place')
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Download all', 'the first Tab stop')
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    t.equal((await namesIn(await saved.path())).length, 3)
    await page.getByText('Your browser saves the ZIP.').waitFor()
    await page.context().close()
  }
})

t.test('clearing loses nothing, and can be undone', async (t) => {
  const page = await open()
  await give(page, stub('done.stub'), stub('slow.stub'), stub('ready.stub'))
  for (const name of ['done.stub', 'slow.stub', 'ready.stub']) await untilStage(page, name, 'ready')
  await setSleep(page, 'slow.stub', 4000)
  await button(page, 'Options for slow.stub').click()
  await setSleep(page, 'ready.stub', 300_000)
  await target(page, 'ready.stub').waitFor()
  await button(page, 'Convert 3 files').click()
  await untilStage(page, 'done.stub', 'done')
  await button(page, 'Cancel ready.stub').click()
  await untilStage(page, 'ready.stub', 'ready')
  const kept = (request: Request) => t.not(request.method(), 'DELETE', `nothing is deleted: ${request.url()}`)
  page.on('request', kept)
  // A busy machine takes longer than people do.
  await page.evaluate(() => {
    const real = setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (act: () => void, time: number) => real(act, time === 10_000 ? 300_000 : time),
      restore: () => Object.assign(window, { setTimeout: real }),
    })
  })
  await button(page, 'Clear list').click()
  await page.locator('.files').waitFor({ state: 'detached' })
  await earlier(page).nth(1).waitFor()
  await button(page, 'Undo').click()
  await untilStage(page, 'slow.stub', 'done')
  await untilStage(page, 'done.stub', 'done')
  await untilStage(page, 'ready.stub', 'ready')
  page.off('request', kept)
  await page.evaluate(() => (window as unknown as { restore(): void }).restore())

  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await button(page, 'Remove done.stub').click()
  await button(page, 'Remove ready.stub').click()
  t.match((await gone).url(), /\/files\//, 'a file that was never started is deleted, after a while')
  await earlier(page).filter({ hasText: 'done.bust' }).waitFor()
  await button(page, 'Delete done.bust').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  t.equal(await earlier(page).filter({ hasText: 'done.bust' }).count(), 1)
})

t.test('a photo is not turned into something larger: four choices ask, and Compress makes it smaller', async (t) => {
  const page = await open()
  const { buffer } = await photo('sea.jpg')
  await give(page, await photo('sea.jpg'), await photo('sun.jpg'))
  for (const name of ['sea.jpg', 'sun.jpg']) await untilStage(page, name, 'ready')
  t.equal(await target(page, 'sea.jpg').innerText(), 'Choose')
  const choices = row(page, 'sea.jpg').getByRole('group', { name: 'Convert sea.jpg to' }).getByRole('button')
  t.strictSame(await choices.allInnerTexts(), ['Compress', 'WEBP', 'PDF', 'PNG'])
  t.equal(await page.getByRole('button', { name: /^Convert \d|^Convert$/ }).count(), 0, 'nothing can be started yet')
  const bar = page.locator('.actions')
  const [started] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/conversions/batch')),
    (async () => {
      await bar.getByRole('button', { name: 'Compress' }).click()
      await page.getByText('2 files will be compressed.').waitFor()
      await button(page, 'Options for sea.jpg').click()
      await page.getByRole('button', { name: 'Smaller', pressed: true }).waitFor()
      await button(page, 'Convert 2 files').click()
    })(),
  ])
  t.match(started.postDataJSON().files, [{ toFormat: 'jpg', options: { quality: 60 } }], 'what is shown is sent')
  for (const name of ['sea.jpg', 'sun.jpg']) await untilStage(page, name, 'done')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    row(page, 'sea.jpg')
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  t.ok(statSync(await saved.path()).size < buffer.length / 2)
  t.match(await row(page, 'sea.jpg').locator('.sizes').innerText(), /smaller/)
})

t.test('Convert also starts what is still being uploaded; a reload brings back what was not started', async (t) => {
  const page = await open()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  await page.route('**/api/uploads', async (route) => {
    if (++asked === 2) await held
    await route.continue()
  })
  await give(page, stub('first.stub'), stub('late.stub'))
  await untilStage(page, 'first.stub', 'ready')
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.type())
    await dialog.dismiss()
  })
  await button(page, 'Convert 2 files').click()
  await untilStage(page, 'first.stub', 'done')
  await page.evaluate(() => location.reload()).catch(() => {})
  await untilStage(page, 'late.stub', 'uploading')
  t.strictSame(dialogs, ['beforeunload'], 'leaving is asked for')
  release()
  await untilStage(page, 'late.stub', 'done')

  await give(page, await photo('sea.jpg'), stub('kept.stub'))
  for (const name of ['sea.jpg', 'kept.stub']) await untilStage(page, name, 'ready')
  await choose(page, 'sea.jpg', 'webp')
  await page.reload()
  for (const name of ['sea.jpg', 'kept.stub']) await untilStage(page, name, 'ready')
  t.equal(await target(page, 'sea.jpg').innerText(), 'WEBP')
  t.equal(dialogs.length, 1)
})

t.test('Download all says what failed', async (t) => {
  const page = await open()
  await give(page, stub('fine.stub'), stub('good.stub'), stub('bad.stub'))
  for (const name of ['fine.stub', 'good.stub', 'bad.stub']) await untilStage(page, name, 'ready')
  await button(page, 'Options for bad.stub').click()
  await page.getByLabel('fail').selectOption('encrypted')
  await button(page, 'Convert 3 files').click()
  await untilStage(page, 'bad.stub', 'failed')
  await untilStage(page, 'good.stub', 'done')
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Download all').click()])
  t.strictSame((await namesIn(await saved.path())).sort(), ['failed.txt', 'fine.bust', 'good.bust'])
})

t.test('all that failed are tried again at once', async (t) => {
  const page = await open()
  await give(page, stub('one.stub'), stub('two.stub'))
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'ready')
  await page.route('**/api/conversions/batch', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await button(page, 'Convert 2 files').click()
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'failed')
  t.match(await row(page, 'one.stub').locator('.problem').innerText(), /^Something went wrong\. Try again\./)
  await button(page, 'Try again: 2 failed').click()
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'done')
  t.equal(await page.title(), '✓ Athanor')
})

t.test('when a long conversion ends, the system tells it, if somebody has asked for that', async (t) => {
  const page = await open()
  await page.evaluate(() => {
    const told: string[] = []
    class Told {
      static permission = 'default'
      static async requestPermission() {
        Told.permission = 'granted'
      }
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`)
      }
    }
    Object.assign(window, { Notification: Told, told })
    Object.defineProperty(document, 'hidden', { value: true })
  })
  await give(page, stub('long.stub'))
  await untilStage(page, 'long.stub', 'ready')
  await setSleep(page, 'long.stub', 12_000)
  await button(page, 'Convert').click()
  await button(page, 'Tell me when done').click()
  await button(page, 'Tell me when done').waitFor({ state: 'detached' })
  await untilStage(page, 'long.stub', 'done')
  await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length)
  t.strictSame(await page.evaluate('told'), ['Athanor: 1 file converted.'])
})

t.test('a phone shares the results with other apps', async (t) => {
  const page = await open(undefined, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.evaluate(() => {
    const shared: string[] = []
    let pressed = 0
    const share = async ({ files }: { files: readonly File[] }) => {
      // Too late after the first press.
      if (++pressed === 1) throw new DOMException('', 'NotAllowedError')
      shared.push(...files.map(({ name, size }) => `${name} ${size > 0}`))
    }
    Object.assign(navigator, { canShare: () => true, share })
    Object.assign(window, { shared })
  })
  await give(page, stub('a.stub'), stub('b.stub'))
  for (const name of ['a.stub', 'b.stub']) await untilStage(page, name, 'ready')
  await button(page, 'Convert 2 files').click()
  for (const name of ['a.stub', 'b.stub']) await untilStage(page, name, 'done')
  await button(page, 'More actions').click()
  await button(page, 'Share').click()
  await page.getByText('Ready. Press Share again.').waitFor()
  await button(page, 'Share').click()
  await page.waitForFunction(() => (window as unknown as { shared: string[] }).shared.length === 2)
  t.strictSame(await page.evaluate('shared'), ['a.bust true', 'b.bust true'])
})
