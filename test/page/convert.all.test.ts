/** From a drop to a saved file, with the actions of a user and the real engines. */
import { execa } from 'execa'
import sharp from 'sharp'
import t from 'tap'
import { scan } from '../fixtures/scan.ts'
import {
  add,
  choose,
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
import { drop, transferOf } from './transfers.ts'

const { open } = await setUp(t)
type Page = Awaited<ReturnType<typeof open>>

const convert = (page: Page) => savedBy(page, () => page.getByRole('button', { name: 'Convert', exact: true }).click())

t.test('dropped, chosen, converted, saved: three actions', async (t) => {
  const page = await open()
  const file = await picture('holiday.png', 200)
  await page.dispatchEvent('footer', 'dragover', { dataTransfer: await transferOf(page, file) })
  await page.locator('.overlay').waitFor()
  await drop(page, file)
  t.notOk(await page.locator('.overlay').isVisible())
  await untilStage(page, file.name, 'ready')
  t.match(await row(page, file.name).locator('.row-kind').innerText(), /PNG picture/)
  await row(page, file.name).getByRole('button', { name: 'JPG' }).click()
  const { name, content } = await convert(page)
  t.equal(name, 'holiday.jpg')
  t.match(await sharp(content).metadata(), { format: 'jpeg', width: 200 })
  const again = await savedBy(page, () => page.getByRole('button', { name: /^Download/ }).click())
  t.strictSame(again, { name, content })
})

t.test('the target: a grid for the keyboard, and a search; it is remembered', async (t) => {
  const page = await open()
  await add(page, await picture('a.png'))
  const button = target(page, 'a.png')
  await button.click()
  t.equal(await button.getAttribute('aria-expanded'), 'true')
  const field = page.getByRole('combobox', { name: 'Search' })
  const active = () =>
    page.evaluate(
      () => document.getElementById(document.activeElement!.getAttribute('aria-activedescendant')!)?.innerText,
    )
  t.equal(await active(), 'JPG\nFor photos', 'it stands at the first one')
  for (const [key, expected] of [
    ['ArrowRight', /^WEBP\nSmall, for the web$/],
    ['ArrowDown', /^Compress\nStays PNG$/],
    ['ArrowLeft', /^PDF\n/],
    ['ArrowUp', /^JPG\n/],
    ['ArrowUp', /^All \d+ formats$/],
  ] as const) {
    await field.press(key)
    t.match(await active(), expected, key)
  }
  await field.press('Enter')
  t.ok(await page.getByRole('gridcell', { name: 'XWD', exact: true }).count(), 'it shows all')
  await field.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal(await button.innerText(), 'Choose', 'Escape changes nothing')
  await button.focus()
  await page.keyboard.type('webp')
  await page.locator('.choice[aria-selected=true]', { hasText: 'WEBP' }).waitFor()
  await page.keyboard.press('Enter')
  t.equal(await button.innerText(), 'WEBP')
  t.ok(await button.evaluate((one) => one === document.activeElement), 'the focus is where it was')
  await button.click()
  await field.fill('zzz')
  await page.getByText('No format matches your search.').waitFor()
  await page.reload()
  await add(page, await picture('b.png'))
  t.equal(await target(page, 'b.png').innerText(), 'WEBP')
})

t.test('options: presets and a slider at once, the rest behind a button, choices in words', async (t) => {
  const page = await open()
  await add(page, await picture('a.png', 300))
  await choose(page, 'a.png', 'webp')
  await page.getByRole('button', { name: 'Options for a.png' }).click()
  const panel = page.getByRole('group', { name: 'Options for a.png' })
  t.equal(await panel.getByLabel('Quality').getAttribute('type'), 'range')
  t.notOk(await panel.getByLabel('Max. width').isVisible())
  await panel.getByText('More options').click()
  t.equal(await panel.getByLabel('Fit into the box').count(), 0, 'without a box, it has no effect')
  await panel.getByLabel('Max. height').fill('40')
  await panel.getByLabel('Max. width').fill('40')
  const fits = await panel.getByLabel('Fit into the box').locator('option').allInnerTexts()
  t.strictSame(fits.slice(0, 3), ['Default: Keep the whole picture', 'Keep the whole picture', 'Fill and crop'])
  t.notMatch(await panel.innerText(), /inside|EXIF|targetSizeKb/, 'no words for developers')
  await panel.getByRole('button', { name: 'Smaller' }).click()
  await panel.getByLabel('Quality').press('ArrowRight')
  t.equal(await panel.locator('output').first().innerText(), '61')
  await panel.getByLabel('Max. width').fill('40')
  t.match(await sharp((await convert(page)).content).metadata(), { format: 'webp', width: 40 })
  await page.getByRole('button', { name: 'Convert a.png again' }).click()
  await choose(page, 'a.png', 'bmp')
  await page.getByText('Max. height').waitFor()
  t.equal(await page.getByLabel('Quality').count(), 0, 'quality has no effect on bmp')
})

t.test('presets have about the size of the result', async (t) => {
  const page = await open()
  const buffer = await sharp((await picture('x.png', 900)).buffer)
    .blur(2)
    .jpeg({ quality: 95 })
    .toBuffer()
  await add(page, { name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await choose(page, 'a.jpg', 'webp')
  await page.getByRole('button', { name: 'Options for a.jpg' }).click()
  const button = page.getByRole('button', { name: /^Smaller about/ })
  const expected = 1000 * Number(/about (\d+) kB/.exec(await button.innerText())![1])
  await button.click()
  const { length } = (await convert(page)).content
  t.ok(Math.abs(expected - length) < 0.3 * length, `${expected} were expected, ${length} came`)
})

t.test('progress: in the row, where it never falls, in the title, and announced', async (t) => {
  const page = await open()
  await add(page, stub())
  await setSleep(page, 'story.stub', 5000)
  // Every shown value, in order.
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    const look = () => {
      const bar = document.querySelector('[role=progressbar][aria-label="Progress of story.stub"]')
      if (bar) seen.push(Number(bar.ariaValueNow))
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await page.waitForFunction(() => /^\d+% · /.test(document.title))
  await page.waitForFunction(() => document.title === '✓ Athanor')
  const seen = (await page.evaluate('seen')) as number[]
  const sorted = seen.toSorted((a, b) => a - b)
  t.strictSame(seen, sorted)
  t.ok(new Set(seen).size > 2, 'it moves')
  t.equal(await page.locator('#summary').textContent(), '1 file converted.')
})

t.test('a file whose target is known starts by itself, if the user wants that', async (t) => {
  const page = await open()
  await add(page, await picture('a.png'))
  await choose(page, 'a.png', 'bmp')
  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.locator('#settings input').first().check()
  const picked = await picture('d.png')
  t.equal((await savedBy(page, () => give(page, picked))).name, 'd.bmp', 'one action')
})

t.test('a scan becomes searchable by a task of the first view, without the word OCR', async (t) => {
  const page = await open()
  const way = page.getByRole('button', { name: 'Scan → searchable PDF' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), way.click()])
  const buffer = await scan([{ text: 'The lighthouse keeper climbed the stairs.', font: 'Liberation Serif' }])
  await chooser.setFiles([{ name: 'letter.png', mimeType: '', buffer }])
  await untilStage(page, 'letter.png', 'ready')
  t.notMatch(await page.locator('body').innerText(), /OCR/)
  const { stdout } = await execa('pdftotext', ['-', '-'], { input: (await convert(page)).content })
  t.match(stdout, /lighthouse\s+keeper/)
})
