/** What most people come for, in few actions, with the real engines. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { scan } from '../fixtures/scan.ts'
import { type Given, give, picture, setUp, untilStage } from '../harness/browser.ts'
import { namesIn } from './archives.ts'

const { open } = await setUp(t)

/** Opens the file dialog by a task of the first view, and gives files to it: two actions. */
async function begin(page: Page, task: string, ...files: Given[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: task }).click(),
  ])
  await chooser.setFiles(files)
  for (const { name } of files) await untilStage(page, name, 'ready')
}

/** Presses a button after which a file is saved, and returns its path. */
async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  return download.path()
}

t.test('60 photos become smaller in one ZIP: four actions', async (t) => {
  const page = await open()
  const { buffer } = await picture('x.png', 200)
  const jpg = await sharp(buffer).jpeg({ quality: 98 }).toBuffer()
  const photos = Array.from(
    { length: 60 },
    (_, at): Given => ({ name: `p${at}.jpg`, mimeType: 'image/jpeg', buffer: jpg }),
  )
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Make smaller' }).click(),
  ])
  await chooser.setFiles(photos)
  await page.getByRole('button', { name: 'Convert 60 files' }).click()
  const names = await namesIn(await saved(page, 'Download all'))
  t.equal(names.length, 60)
  t.match(await page.locator('.actions-count').innerText(), /60 files[\s\S]+% smaller/)
})

t.test('a scan becomes a searchable PDF: three actions, without the word OCR', async (t) => {
  const page = await open()
  const buffer = await scan([
    { text: 'The lighthouse keeper climbed the stairs every evening.', font: 'Liberation Serif' },
  ])
  await begin(page, 'Scan → searchable PDF', { name: 'letter.png', mimeType: 'image/png', buffer })
  t.notMatch(await page.locator('body').innerText(), /OCR/)
  const { stdout } = await execa('pdftotext', [await saved(page, 'Convert'), '-'])
  t.match(stdout, /lighthouse\s+keeper/)
})

t.test('a Word document becomes a PDF: two actions', async (t) => {
  const page = await open()
  const buffer = await readFile(join(import.meta.dirname, '../fixtures/files/book.docx'))
  await give(page, { name: 'book.docx', mimeType: '', buffer })
  await untilStage(page, 'book.docx', 'ready')
  const { stdout } = await execa('pdftotext', [await saved(page, 'Convert'), '-'])
  t.match(stdout, /Chapter 1/)
})

t.test('a video becomes a GIF: three actions', async (t) => {
  const page = await open()
  const args = '-v error -f lavfi -i testsrc=s=160x120:d=1:r=10 -c:v libvpx -f webm -'
  const { stdout } = await execa('ffmpeg', args.split(' '), { encoding: 'buffer' })
  await begin(page, 'Video → GIF', { name: 'film.webm', mimeType: 'video/webm', buffer: Buffer.from(stdout) })
  const { format, pages = 1 } = await sharp(await saved(page, 'Convert'), { animated: true }).metadata()
  t.ok(format === 'gif' && pages > 5, `${format} of ${pages} pictures`)
})
