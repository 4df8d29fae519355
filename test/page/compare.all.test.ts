/** The comparison of a source with its result. The source is the local file; only the result is fetched. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { convertTo, type Given, picture, row, setUp, violations } from '../harness/browser.ts'

const { open } = await setUp(t)
const files = join(import.meta.dirname, '../fixtures/files')

/** Converts a file on an open page, opens its comparison, and returns the paths that it fetched. */
async function compare(page: Page, file: Given, to: string): Promise<string[]> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save the result automatically').uncheck()
  await page.keyboard.press('Escape')
  await convertTo(page, file, to)
  const fetched: string[] = []
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol === 'http:' && !pathname.startsWith('/page/')) fetched.push(pathname.replace(/conv_\w+/, '…'))
  })
  await page.getByRole('button', { name: `Compare ${file.name}` }).click()
  await page.getByRole('region', { name: `${file.name} before and after` }).waitFor()
  return fetched
}

const ONLY_THE_RESULT = ['/api/files/…/download']

t.test(
  'pictures: a divider by pointer and by keys, which stays in view when the picture is magnified and moved',
  async (t) => {
    const page = await open()
    const fetched = await compare(page, await picture('a.png', 300), 'webp')
    const stack = page.locator('.frame.divided')
    await stack.waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.stack img')].every((one) => (one as any).naturalWidth === 300),
    )
    const at = () => stack.evaluate((one) => (one as HTMLElement).style.getPropertyValue('--at'))
    t.equal(await at(), '50%')
    const slider = page.getByRole('slider', { name: 'Divider between before and after' })
    await slider.press('Home')
    t.equal(await at(), '0%')
    await slider.press('ArrowRight')
    t.equal(await at(), '1%')
    t.equal(await slider.getAttribute('aria-valuetext'), '1% before')
    const { x, y, width, height } = (await stack.boundingBox())!
    await page.mouse.move(x + width * 0.5, y + height * 0.5)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.75, y + height * 0.5)
    await page.mouse.up()
    t.match(await at(), /^7[45]/)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByText('200%').waitFor()
    t.equal((await stack.boundingBox())!.width, 2 * width)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const view = page.locator('.pictures')
    const scrolled = () => view.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
    const before = await at()
    await view.evaluate((one) => one.scrollTo(0, 0))
    const seen = (await view.boundingBox())!
    await page.mouse.move(seen.x + 200, seen.y + 200)
    await page.mouse.down()
    await page.mouse.move(seen.x + 150, seen.y + 170)
    await page.mouse.up()
    t.strictSame(await scrolled(), [50, 30], 'a magnified picture is moved')
    t.equal(await at(), before, 'and its divider is not')
    const cut = await page.locator('.stack .before').evaluate((one) => getComputedStyle(one).clipPath)
    const share = (Number(/([\d.]+)px\)/.exec(cut)![1]) - 50) / seen.width
    t.ok(Math.abs(share - Number.parseFloat(before) / 100) < 0.01, `what is before ends at the divider: ${cut}`)
    t.strictSame(await violations(page), [])
    t.strictSame(fetched, ONLY_THE_RESULT)
  },
)

t.test('a large picture is shown one pixel to one pixel', async (t) => {
  const page = await open()
  await compare(page, await picture('a.png', 2000), 'webp')
  await page.locator('.frame.divided').waitFor()
  const shown = page.locator('.zoom output')
  await page.waitForFunction(() => /^\d\d%$/.test(document.querySelector('.zoom output')?.textContent ?? ''))
  const whole = await shown.innerText()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  t.equal(await shown.innerText(), '100%')
  t.equal((await page.locator('.stack').boundingBox())!.width, 2000)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  t.equal(await shown.innerText(), whole)
})

/** Waits until the viewer of the browser shows a PDF. It is dark around the page, and no script can look into it. */
async function untilDrawn(page: Page): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const { channels } = await sharp(await page.locator('.compare iframe').screenshot()).stats()
    if (channels[0]!.stdev > 20) return
  }
  throw new Error('the viewer shows nothing')
}

t.test('a PDF beside its text, and a picture beside its PDF', async (t) => {
  const page = await open()
  const book = { name: 'book.pdf', mimeType: 'text/html', buffer: await readFile(join(files, 'book.pdf')) }
  const fetched = await compare(page, book, 'txt')
  await page.getByText('Every evening the keeper climbed').waitFor()
  await untilDrawn(page)
  t.notMatch(await page.locator('.compare').innerText(), /cannot show/)
  t.strictSame(await violations(page), [])
  t.strictSame(fetched, ONLY_THE_RESULT)
  await page.getByRole('button', { name: 'Clear list' }).click()
  await convertTo(page, await picture('sun.png', 300), 'pdf')
  await page.getByRole('button', { name: 'Compare sun.png' }).click()
  await page.locator('.compare figure img').waitFor()
  await untilDrawn(page)
})

t.test('a source that the browser cannot show: it says so, and shows the result', async (t) => {
  const page = await open()
  const { buffer } = await picture('x.png', 40)
  const scan = { name: 'scan.tif', mimeType: 'image/tiff', buffer: await sharp(buffer).tiff().toBuffer() }
  const fetched = await compare(page, scan, 'png')
  await page.getByText('Your browser cannot show TIF. This is the result.').waitFor()
  await page.locator('.frame:not(.divided) img').waitFor()
  t.equal(await page.getByRole('slider').count(), 0)
  t.strictSame(await violations(page), [])
  t.strictSame(fetched, ONLY_THE_RESULT)
})

t.test('sound: two players', async (t) => {
  const page = await open()
  const { stdout } = await execa('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=440:d=1', '-f', 'wav', '-'], {
    encoding: 'buffer',
  })
  const fetched = await compare(page, { name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from(stdout) }, 'mp3')
  await page.waitForFunction(() => {
    const players = [...document.querySelectorAll('audio')]
    return players.length === 2 && players.every(({ duration }) => Math.abs(duration - 1) < 0.2)
  })
  t.strictSame(await violations(page), [])
  t.strictSame([...new Set(fetched)], ONLY_THE_RESULT)
})

t.test('a video beside its animation', async (t) => {
  const page = await open()
  const { stdout } = await execa(
    'ffmpeg',
    '-v error -f lavfi -i color=c=blue:s=160x120:d=1 -c:v libvpx -f webm -'.split(' '),
    { encoding: 'buffer' },
  )
  await compare(page, { name: 'a.webm', mimeType: 'video/webm', buffer: Buffer.from(stdout) }, 'gif')
  await page.locator('.compare video').waitFor()
  await page.locator('.compare figure img').waitFor()
  t.notMatch(await page.locator('.compare').innerText(), /cannot show/)
  t.strictSame(await violations(page), [])
})

t.test('text: the beginnings', async (t) => {
  const page = await open()
  const notes = {
    name: 'notes.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(`# Hello\n\n${'word '.repeat(5000)}`),
  }
  const fetched = await compare(page, notes, 'txt')
  const texts = page.locator('.compare pre')
  await texts.nth(1).waitFor()
  t.match(await texts.first().innerText(), /^# Hello/)
  t.match(await texts.nth(1).innerText(), /Hello/)
  for (const text of await texts.allInnerTexts()) t.ok(text.length < 4100)
  t.strictSame(await violations(page), [])
  t.strictSame(fetched, ONLY_THE_RESULT)
})

t.test('a result that no browser shows has no comparison', async (t) => {
  const page = await open()
  await convertTo(page, await picture('a.png'), 'docx')
  t.equal(
    await row(page, 'a.png')
      .getByRole('button', { name: /^Compare/ })
      .count(),
    0,
  )
})
