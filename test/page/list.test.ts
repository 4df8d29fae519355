/** The list of files: buttons keep their places, nothing is lost by one click, and no target is chosen that loses. */
import type { Page, Request } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import {
  add,
  choose,
  type Given,
  give,
  picture,
  row,
  savedBy,
  setSleep,
  setUp,
  stub,
  target,
  untilStage,
} from '../harness/browser.ts'
import { expectLargeTargets } from './accessible.ts'
import { namesIn } from './archives.ts'
import { paste } from './transfers.ts'

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
  const page = await open(undefined, { viewport: { width: 360, height: 740 } })
  const names = ['one.stub', 'two.stub', 'three.stub']
  await add(page, ...names.slice(0, 2).map((name) => stub(name)))
  await paste(page, stub('three.stub'))
  await untilStage(page, 'three.stub', 'ready')
  await setSleep(page, 'one.stub', 1500)
  await button(page, 'Options for one.stub').click()
  const starts: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /conversions|files/.test(request.url())) starts.push(request.url())
  })
  const { x, y, width, height } = (await button(page, 'Convert 3 files').boundingBox())!
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
  t.strictSame([...new Set(seen)], [''])
  // A guest may have two files in a batch.
  const paths = ['conversions/batch', 'conversions'].map((path) => `${service.base}/api/${path}`)
  t.strictSame(starts, paths, 'each file once')
  t.ok(Math.abs((await button(page, 'Download all').boundingBox())!.y - y) < 2, 'in the same place')
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Download all', 'the first Tab stop')
  const { content } = await savedBy(page, () => page.keyboard.press('Enter'))
  t.equal((await namesIn(content)).length, 3)
  await page.getByText('Your browser saves the ZIP.').waitFor()
})

t.test('clearing loses nothing, and can be undone', async (t) => {
  const page = await open()
  await add(page, stub('done.stub'), stub('slow.stub'), stub('ready.stub'))
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
  await button(page, 'Delete done.bust').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete done.bust' }).click()
  await earlier(page).filter({ hasText: 'done.bust' }).waitFor({ state: 'detached' })
})

t.test('a photo is not turned into something larger: four choices ask, and Compress makes it smaller', async (t) => {
  const page = await open()
  const photos = [await photo('sea.jpg'), await photo('sun.jpg')]
  await add(page, ...photos)
  await row(page, 'sea.jpg').locator('.thumbnail.shown').waitFor()
  t.equal(await target(page, 'sea.jpg').innerText(), 'Choose')
  const choices = row(page, 'sea.jpg').getByRole('group', { name: 'Convert sea.jpg to' }).getByRole('button')
  t.strictSame(await choices.allInnerTexts(), ['Compress', 'WEBP', 'PDF', 'PNG'])
  t.equal(await page.getByRole('button', { name: /^Convert \d|^Convert$/ }).count(), 0, 'nothing can be started yet')
  await page.locator('.actions').getByRole('button', { name: 'Compress' }).click()
  await page.getByText('2 files will be compressed.').waitFor()
  await button(page, 'Options for sea.jpg').click()
  await page.getByRole('button', { name: 'Smaller', pressed: true }).waitFor()
  const [started] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/conversions/batch')),
    button(page, 'Convert 2 files').click(),
  ])
  t.match(started.postDataJSON().files, [{ toFormat: 'jpg', options: { quality: 60 } }], 'what is shown is sent')
  for (const { name } of photos) await untilStage(page, name, 'done')
  const { content } = await savedBy(page, () => button(page, /^Download sea/).click())
  t.ok(content.length < photos[0]!.buffer.length / 2)
  t.match(await row(page, 'sea.jpg').locator('.sizes').innerText(), /smaller/)
  t.match(await page.locator('.actions-count').innerText(), /2 files[\s\S]+% smaller/, 'the sum')
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

  await add(page, await photo('sea.jpg'), stub('kept.stub'))
  await choose(page, 'sea.jpg', 'webp')
  await page.reload()
  for (const name of ['sea.jpg', 'kept.stub']) await untilStage(page, name, 'ready')
  t.equal(await target(page, 'sea.jpg').innerText(), 'WEBP')
  t.equal(dialogs.length, 1)
})

t.test('Download all says what failed, and all that failed are tried again at once', async (t) => {
  const page = await open()
  const names = ['fine.stub', 'bad.stub']
  await add(page, ...names.map((name) => stub(name)))
  await page.route('**/api/conversions/batch', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await button(page, 'Convert 2 files').click()
  for (const name of names) await untilStage(page, name, 'failed')
  t.match(await row(page, 'fine.stub').locator('.problem').innerText(), /^Something went wrong\. Try again\./)
  await button(page, 'Options for bad.stub').click()
  await page.getByLabel('fail').selectOption('encrypted')
  await button(page, 'Try again: 2 failed').click()
  await untilStage(page, 'fine.stub', 'done')
  await untilStage(page, 'bad.stub', 'failed')
  t.equal(await page.title(), '✓ Athanor')
  await give(page, stub('good.stub'))
  await untilStage(page, 'good.stub', 'ready')
  await button(page, 'Convert').click()
  await untilStage(page, 'good.stub', 'done')
  const { content } = await savedBy(page, () => button(page, 'Download all').click())
  t.strictSame(await namesIn(content), ['failed.txt', 'fine.bust', 'good.bust'])
})

t.test('each task of the first view opens the file dialog for its kind of file, and sets the target', async (t) => {
  const page = await open()
  t.equal(await page.locator('.way').count(), 6)
  const chooserOf = async (name: string) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).click()])
    return chooser
  }
  for (const [name, accept] of [
    ['Photos → JPG', /image/],
    ['Word, Excel, PowerPoint → PDF', /\.docx/],
    ['Scan → searchable PDF', /image.*\.pdf/],
    ['Video → GIF', /video/],
    ['Make smaller', /^$/],
    ['PDF → Word', /\.pdf/],
  ] as const) {
    const element = (await chooserOf(name)).element()
    t.match((await element.getAttribute('accept')) ?? '', accept, name)
  }
  await expectLargeTargets(t, page, 'the first view')
  await (await chooserOf('PDF → Word')).setFiles([await picture('a.png'), stub('b.stub')])
  for (const name of ['a.png', 'b.stub']) await untilStage(page, name, 'ready')
  await (await chooserOf('Add more files')).setFiles(await photo('c.jpg'))
  await untilStage(page, 'c.jpg', 'ready')
  t.equal(await target(page, 'a.png').innerText(), 'Word')
  t.equal(await target(page, 'b.stub').innerText(), 'BUST', 'it cannot be a Word document')
  t.equal(await target(page, 'c.jpg').innerText(), 'Choose', 'the task does not hold for files that are added later')
})
