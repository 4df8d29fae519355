/** Small pictures of files in the list: of the local file, or of the result where browsers cannot show the source. */
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { album } from '../fixtures/scan.ts'
import { type Given, give, row, setUp, stub } from '../harness/browser.ts'

const { open } = await setUp(t)

/** A picture of one colour. */
const plain = (colour: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: colour } })

/** Waits for the thumbnail of a file, and returns the colour in its middle. */
async function colourOf(page: Page, name: string): Promise<number[]> {
  const canvas = row(page, name).locator('.thumbnail.shown')
  await canvas.waitFor()
  return canvas.evaluate((one: HTMLCanvasElement) => [...one.getContext('2d')!.getImageData(56, 52, 1, 1).data])
}

const isNear = (colour: readonly number[], wanted: readonly number[]) =>
  wanted.every((value, at) => Math.abs(value - colour[at]!) < 30)

t.test('pictures, drawings and the first frame of films, while they are uploaded', async (t) => {
  const page = await open()
  await page.route('**/api/uploads', () => {})
  const film = await execa(
    'ffmpeg',
    '-v error -f lavfi -i color=c=0x0000ff:s=160x120:d=1 -c:v libvpx -f webm -'.split(' '),
    { encoding: 'buffer' },
  )
  await give(
    page,
    { name: 'red.jpg', mimeType: 'image/jpeg', buffer: await plain('#ff0000').jpeg().toBuffer() },
    { name: 'tall.png', mimeType: 'image/png', buffer: await plain('#00ff00', 100, 900).png().toBuffer() },
    {
      name: 'drawing.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'),
    },
    { name: 'film.webm', mimeType: 'video/webm', buffer: Buffer.from(film.stdout) },
    { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
    stub('story.stub'),
  )
  t.ok(isNear(await colourOf(page, 'red.jpg'), [255, 0, 0]))
  t.ok(isNear(await colourOf(page, 'tall.png'), [0, 255, 0]))
  t.ok(isNear(await colourOf(page, 'drawing.svg'), [0, 0, 0]))
  t.ok(isNear(await colourOf(page, 'film.webm'), [0, 0, 255]))
  t.equal(await row(page, 'broken.jpg').locator('.thumbnail.shown').count(), 0, 'its format is shown')
  t.equal(await row(page, 'story.stub').locator('canvas').count(), 0)
})

t.test('the first page of a scan, and of no other PDF', async (t) => {
  const page = await open()
  await page.route('**/api/uploads', () => {})
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const noisy = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#fff', noise } })
      .tint('#ff0000')
      .jpeg()
      .toBuffer()
  for (const [name, pages] of Object.entries({
    'letter.pdf': ['(Text) Tj'],
    'banner.pdf': [await noisy(1600, 400)],
    'scan.pdf': [await noisy(800, 1100), '(Text) Tj'],
  }))
    await give(page, { name, mimeType: 'application/pdf', buffer: await album(pages) })
  const [red = 0, green = 0] = await colourOf(page, 'scan.pdf')
  t.ok(red - green > 30, `${red} and ${green}`)
  for (const name of ['letter.pdf', 'banner.pdf'])
    t.equal(await row(page, name).locator('.thumbnail.shown').count(), 0, name)
})

t.test('many photos: only those in view, in a worker', async (t) => {
  const page = await open()
  await page.route('**/api/uploads', () => {})
  const buffer = await plain('#0000ff', 2000, 1500).jpeg().toBuffer()
  const photos = Array.from({ length: 300 }, (_, at): Given => ({ name: `${at}.jpg`, mimeType: 'image/jpeg', buffer }))
  await give(page, ...photos)
  await page.locator('.row').nth(150).scrollIntoViewIfNeeded()
  await page.locator('.row').nth(150).locator('.thumbnail.shown').waitFor()
  const shown = await page.locator('.thumbnail.shown').count()
  t.ok(shown < 60, `${shown} of 300`)
  t.equal(page.workers().length, 1, 'they are scaled beside the thread that draws')
})
