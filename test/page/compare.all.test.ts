/** The comparison of a source with its result. The source is the local file; only the result is fetched. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import { convertTo, type Given, picture, row, setUp, violations } from '../harness/browser.ts'

const { open } = await setUp(t)

/** Converts a file on an open page, opens its comparison, and returns the paths that it fetched. */
async function compare(page: Page, file: Given, to: string): Promise<Set<string>> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save the result automatically').uncheck()
  await page.keyboard.press('Escape')
  await convertTo(page, file, to)
  const fetched = new Set<string>()
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol === 'http:' && !pathname.startsWith('/page/')) fetched.add(pathname.replace(/conv_\w+/, '…'))
  })
  await page.getByRole('button', { name: `Compare ${file.name}` }).click()
  await page.getByRole('region', { name: `${file.name} before and after` }).waitFor()
  return fetched
}

t.test('pictures: a divider by pointer and by keys, which stays in view when the picture is magnified', async (t) => {
  const page = await open()
  await compare(page, await picture('a.png', 300), 'webp')
  const stack = page.locator('.frame.divided')
  await stack.waitFor()
  const at = () => stack.evaluate((one) => (one as HTMLElement).style.getPropertyValue('--at'))
  t.equal(await at(), '50%')
  const slider = page.getByRole('slider', { name: 'Divider between before and after' })
  await slider.press('Home')
  await slider.press('ArrowRight')
  t.equal(await at(), '1%')
  t.equal(await slider.getAttribute('aria-valuetext'), '1% before')
  const { x, y, width, height } = (await stack.boundingBox())!
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move(...to)
    await page.mouse.up()
  }
  await drag([x + width * 0.5, y + height * 0.5], [x + width * 0.75, y + height * 0.5])
  t.match(await at(), /^7[45]/)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByText('200%').waitFor()
  t.equal((await stack.boundingBox())!.width, 2 * width)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  const view = page.locator('.pictures')
  const before = await at()
  await view.evaluate((one) => one.scrollTo(0, 0))
  const seen = (await view.boundingBox())!
  await drag([seen.x + 200, seen.y + 200], [seen.x + 150, seen.y + 170])
  const scrolled = await view.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
  t.strictSame(scrolled, [50, 30], 'a magnified picture is moved')
  t.equal(await at(), before, 'and its divider is not')
})

/** Waits until the viewer of the browser shows a PDF. It is dark around the page, and no script can look into it. */
async function untilDrawn(page: Page): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const { channels } = await sharp(await page.locator('.compare iframe').screenshot()).stats()
    if (channels[0]!.stdev > 20) return
  }
  throw new Error('the viewer shows nothing')
}

const ffmpeg = async (args: string) =>
  Buffer.from((await execa('ffmpeg', ['-v', 'error', ...args.split(' '), '-'], { encoding: 'buffer' })).stdout)
const { buffer } = await picture('x.png', 300)
const book = await readFile(join(import.meta.dirname, '../fixtures/files/book.pdf'))
const film = await ffmpeg('-f lavfi -i color=c=blue:s=160x120:d=1 -c:v libvpx -f webm')
const sound = await ffmpeg('-f lavfi -i sine=440:d=1 -f wav')

/** Sources and targets, and what is shown of them. */
const KINDS: [name: string, source: Buffer, to: string, shown: (page: Page) => Promise<unknown>][] = [
  ['photo.png', buffer, 'webp', (page) => page.locator('.frame.divided').waitFor()],
  ['book.pdf', book, 'txt', (page) => untilDrawn(page).then(() => page.getByText('the keeper climbed').waitFor())],
  [
    'sun.png',
    buffer,
    'pdf',
    (page) =>
      page
        .locator('.compare figure img')
        .waitFor()
        .then(() => untilDrawn(page)),
  ],
  [
    'scan.tif',
    await sharp(buffer).tiff().toBuffer(),
    'png',
    (page) => page.getByText('Your browser cannot show TIF. This is the result.').waitFor(),
  ],
  ['a.wav', sound, 'mp3', (page) => page.locator('.compare audio').nth(1).waitFor()],
  ['a.webm', film, 'gif', (page) => page.locator('.compare video').waitFor()],
  [
    'notes.md',
    Buffer.from(`# Hello\n\n${'word '.repeat(5000)}`),
    'txt',
    (page) => page.locator('pre').nth(1).waitFor(),
  ],
]
for (const [name, source, to, shown] of KINDS)
  t.test(`${name} and ${to}`, async (t) => {
    const page = await open()
    const fetched = await compare(page, { name, mimeType: '', buffer: source }, to)
    await shown(page)
    for (const text of await page.locator('.compare pre').allInnerTexts()) t.ok(text.length < 4100, 'the beginning')
    t.strictSame(await violations(page), [])
    t.strictSame([...fetched], ['/api/files/…/download'])
  })

t.test('a result that is gone, and one that no browser shows', async (t) => {
  const page = await open()
  await convertTo(page, await picture('a.png'), 'webp')
  const isDownload = (url: URL) => url.searchParams.has('token')
  await page.route(isDownload, (route) => route.fulfill({ status: 404, body: '{}' }))
  await row(page, 'a.png').locator('[aria-controls^="compare"]').click()
  await page.getByText(english['compare.failed']).waitFor()
  await convertTo(page, await picture('b.png'), 'docx')
  const compare = row(page, 'b.png').getByRole('button', { name: /^Compare/ })
  t.equal(await compare.count(), 0)
})
