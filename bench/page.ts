import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { createClient } from './client.ts'
import { heicOfTiles } from './heic-grid.ts'
import type { Goal } from './report.ts'

const PHOTOS = 50
const MEMBERS = 2000

/** Notes when the page shows its drop zone and its main thread has time to draw. */
const LOOK = `
  const look = () => {
    if (document.querySelector('.drop-button')) window.interactive = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

/** What this part needs of the bench. */
interface Bench {
  base: string
  folder: string
  client: ReturnType<typeof createClient>
  goals: Goal[]
  time: (run: () => Promise<unknown>) => Promise<number>
  /** Megabytes of the kernel's memory (PSS). */
  memory: () => Promise<number>
  /** A photograph of 12 MP. */
  photo: string
}

/** Measures the page in real Chromium (Debian: chromium), as people use it, and the ZIP of a batch. */
export async function benchPage(bench: Bench): Promise<void> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    await firstLoad(browser, bench)
    await heics(browser, bench)
    await manyPhotos(browser, bench)
  } finally {
    await browser.close()
  }
  await largeZip(bench)
}

/** Opens the page in a new profile. */
async function open(browser: Browser, base: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(300_000)
  await page.goto(base)
  await page.locator('.drop-button').waitFor()
  return page
}

/** Bytes on the wire, and the time from the navigation until files can be dropped, with the CPU slowed four times. */
async function firstLoad(browser: Browser, { base, goals }: Bench): Promise<void> {
  const [bytes, interactive]: number[][] = [[], []]
  for (let round = 0; round < 7; round++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    let received = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength))
    await page.addInitScript({ content: LOOK })
    await page.goto(base, { waitUntil: 'networkidle' })
    interactive!.push((await page.evaluate('interactive')) as number)
    bytes!.push(received / 1000)
    await context.close()
  }
  goals.push({ name: 'page, bytes of the first load', unit: 'kB', ours: bytes! })
  goals.push({ name: 'page, interactive at a quarter of the speed', unit: 'ms', ours: interactive!, atMost: 300 })
}

/**
 * From the drop to the saved file, by two actions: a photograph in one piece, and one in tiles, as telephones write it.
 */
async function heics(browser: Browser, bench: Bench): Promise<void> {
  const [whole, tiles] = ['photo.heic', 'tiles.heic'].map((name) => join(bench.folder, name))
  await execa('heif-enc', ['-q', '80', bench.photo, '-o', whole!])
  await heicOfTiles(bench.photo, tiles!, 80)
  await oneHeic(browser, bench, whole!, 'HEIC')
  await oneHeic(browser, bench, tiles!, 'HEIC in tiles')
}

async function oneHeic(browser: Browser, bench: Bench, heic: string, what: string): Promise<void> {
  const { base, folder, goals, time } = bench
  const { size } = await stat(heic)
  const page = await open(browser, base)
  const [figures, alone]: number[][] = [[], []]
  for (let round = 0; round < 6; round++) {
    const passed = await time(async () => {
      const saved = page.waitForEvent('download')
      await page.setInputFiles('.files-input', heic)
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      await (await saved).path()
    })
    const bare = await time(() => execa('heif-convert', ['-q', '82', heic, join(folder, 'bare.jpg')]))
    // The first one starts programs ahead for the next.
    if (round > 0) {
      figures!.push(passed)
      alone!.push(bare)
    }
    await page
      .locator('.files .row')
      .getByRole('button', { name: /^Remove / })
      .click()
  }
  const name = `page, ${what} of ${(size / 1e6).toFixed(1)} MB, from drop to saved JPG`
  goals.push({ name, unit: 'ms', ours: figures!, atMost: 1000 })
  goals.push({ name: `${name}, beside heif-convert alone`, unit: 'ms', ours: figures!, bare: alone! })
}

/** Fifty photographs of 12 MP from the drop to one saved ZIP. */
async function manyPhotos(browser: Browser, { base, goals, time, photo }: Bench): Promise<void> {
  const buffer = await readFile(photo)
  const files = Array.from({ length: PHOTOS }, (_, at) => ({ name: `photo-${at}.jpg`, mimeType: 'image/jpeg', buffer }))
  const page = await open(browser, base)
  const passed = await time(async () => {
    // One call takes 50 MB at most.
    for (let at = 0; at < PHOTOS; at += 5) await page.setInputFiles('.files-input', files.slice(at, at + 5))
    const convert = page.getByRole('button', { name: `Convert ${PHOTOS} files` })
    await page
      .locator('.row[data-stage=ready]')
      .nth(PHOTOS - 1)
      .waitFor()
    await page.getByRole('button', { name: 'Convert all to' }).click()
    const all = page.getByRole('combobox', { name: 'Search' })
    await all.fill('webp')
    await all.press('Enter')
    await convert.click()
    const download = page.getByRole('button', { name: 'Download all' })
    await download.waitFor()
    const [saved] = await Promise.all([page.waitForEvent('download'), download.click()])
    await saved.path()
  })
  goals.push({ name: `page, ${PHOTOS} photographs of 12 MP to WebP in one ZIP`, unit: 's', ours: [passed / 1000] })
}

/** The memory of the kernel while it streams one ZIP of many results, compared with its memory just before. */
async function largeZip({ client, goals, folder, memory }: Bench): Promise<void> {
  const small = join(folder, 'small.png')
  await execa('convert', ['-size', '64x64', 'plasma:', small])
  const { file } = await client.upload(small)
  const entry = { fileId: file.fileId, fileSize: file.size, fromFormat: 'png' }
  const files = Array.from({ length: MEMBERS }, (_, at) => ({ ...entry, fileName: `small-${at}.png` }))
  const { batchId } = await client.json('POST', '/api/conversions/batch', {
    files,
    toFormat: 'jpg',
    jobIntent: 'convert',
  })
  const path = `/api/conversions/batch/${batchId}`
  let batch: any
  do {
    await delay(500)
    batch = (await client.json('GET', path)).batch
  } while (!['completed', 'failed'].includes(batch.status))
  const before = await memory()
  let max = before
  const watch = setInterval(async () => (max = Math.max(max, await memory())), 20)
  const bytes = await client.drain(batch.outputUrl)
  clearInterval(watch)
  const name = `ZIP of ${MEMBERS} results (${(bytes / 1e6).toFixed(1)} MB), memory above that before`
  goals.push({ name, unit: 'MB', ours: [max - before], atMost: 20 })
}
