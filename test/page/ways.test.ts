/** The first view: six frequent tasks, each of which opens the file dialog and sets the target. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { type Given, picture, setUp, stub, target, untilStage } from '../harness/browser.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'

const { open } = await setUp(t)

async function photo(name: string): Promise<Given> {
  const { buffer } = await picture('x.png', 300)
  return { name, mimeType: 'image/jpeg', buffer: await sharp(buffer).jpeg({ quality: 98 }).toBuffer() }
}

t.test('each task opens the file dialog for its kind of file', async (t) => {
  const page = await open()
  const ways = page.locator('.way')
  t.equal(await ways.count(), 6)
  for (const [name, accept] of [
    ['Photos → JPG', /image/],
    ['Word, Excel, PowerPoint → PDF', /\.docx/],
    ['PDF → Word', /\.pdf/],
    ['Scan → searchable PDF', /image.*\.pdf/],
    ['Video → GIF', /video/],
    ['Make smaller', /^$/],
  ] as const) {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name, exact: true }).click(),
    ])
    t.ok(chooser.isMultiple(), name)
    t.match((await chooser.element().getAttribute('accept')) ?? '', accept)
  }
  await expectAccessible(t, page, 'the first view')
  await expectLargeTargets(t, page, 'the first view')
})

t.test('many photos become smaller and are saved as one ZIP in four actions', async (t) => {
  const page = await open()
  const names = ['a', 'b', 'c'].map((name) => `${name}.jpg`)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Make smaller' }).click(),
  ])
  await chooser.setFiles(await Promise.all(names.map(photo)))
  for (const name of names) await untilStage(page, name, 'ready')
  const [started] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/conversions/batch')),
    page.getByRole('button', { name: 'Convert 3 files' }).click(),
  ])
  t.match(started.postDataJSON().files, [{ fromFormat: 'jpg', toFormat: 'jpg', options: { quality: 60 } }])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all' }).click(),
  ])
  t.match(saved.suggestedFilename(), /\.zip$/)
  t.match(await page.locator('.actions-count').innerText(), /3 files[\s\S]+MB|kB → [\s\S]+% smaller/, 'the sum')
  t.equal(await page.title(), '✓ Athanor')
})

t.test('a task applies to files that can have its target; others are asked as usual', async (t) => {
  const page = await open()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'PDF → Word' }).click(),
  ])
  await chooser.setFiles([await picture('a.png'), stub('b.stub')])
  for (const name of ['a.png', 'b.stub']) await untilStage(page, name, 'ready')
  const [second] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add more files' }).click(),
  ])
  await second.setFiles(await photo('c.jpg'))
  await untilStage(page, 'c.jpg', 'ready')
  t.equal(await target(page, 'a.png').innerText(), 'Word')
  t.equal(await target(page, 'b.stub').innerText(), 'BUST')
  t.equal(await target(page, 'c.jpg').innerText(), 'Choose', 'the task does not hold for files that are added later')
})

t.test('a photo becomes a JPG in three actions', async (t) => {
  const page = await open(undefined, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.getByRole('button', { name: 'Choose photos or files' }).waitFor()
  t.equal(
    await page
      .getByText(/[Dd]rop/)
      .locator('visible=true')
      .count(),
    0,
    'nothing is said about dropping',
  )
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Photos → JPG' }).click(),
  ])
  await chooser.setFiles(await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Convert', exact: true }).click(),
  ])
  t.match(await sharp(await readFile(await saved.path())).metadata(), { format: 'jpeg' })
})
