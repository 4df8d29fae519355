/** From a drop to a saved file, with the actions of a user. */
import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import sharp from 'sharp'
import t from 'tap'
import { choose, give, picture, row, setSleep, setUp, stub, target, untilStage } from '../harness/browser.ts'
import { until } from '../harness/until.ts'
import { drop, transferOf } from './transfers.ts'

const { open, service } = await setUp(t)

t.test('drop, choose, convert, saved: three actions', async (t) => {
  const page = await open()
  const file = await picture('holiday.png', 200)
  const { name } = file
  // While a file is dragged anywhere over the page, an overlay appears.
  await page.dispatchEvent('footer', 'dragover', { dataTransfer: await transferOf(page, file) })
  await page.locator('.overlay').waitFor()
  await drop(page, file)
  t.notOk(await page.locator('.overlay').isVisible())
  await untilStage(page, name, 'ready')
  t.match(await row(page, name).locator('.row-kind').innerText(), /PNG picture/)
  t.equal(await target(page, name).innerText(), 'Choose', 'JPG might lose')
  await row(page, name).getByRole('button', { name: 'JPG' }).click()

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Convert', exact: true }).click(),
  ])
  t.equal(saved.suggestedFilename(), 'holiday.jpg')
  t.match(await sharp(await readFile(await saved.path())).metadata(), { format: 'jpeg', width: 200 })
  t.match(await row(page, name).locator('.sizes').innerText(), /kB → .*\n(\d+% (smaller|larger)|[\d.]+ times the size)/)

  const asked = () => service.log().split('"msg":"request"').length
  // The log has a request when its answer has ended, which may be after the browser has the file.
  await until(() => service.log().includes('"route":"/api/files/:id/download"'))
  const before = asked()
  const again = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ])
  t.equal(again[0].suggestedFilename(), 'holiday.jpg')
  await until(() => asked() > before)
  t.equal(asked() - before, 1, 'one request')
})

t.test('a click, Enter and Space open the file dialog', async (t) => {
  const page = await open()
  const zone = page.locator('.drop-button')
  for (const act of [() => zone.click(), () => zone.press('Enter'), () => zone.press('Space')]) {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), act()])
    t.ok(chooser.isMultiple())
  }
  const [folder] = await Promise.all([page.waitForEvent('filechooser'), page.locator('.folder-button').click()])
  t.ok(folder)
})

t.test(
  'the target: a list by name and purpose, with a grid for the keyboard and a search; it is remembered',
  async (t) => {
    const page = await open()
    await give(page, await picture('a.png'))
    await untilStage(page, 'a.png', 'ready')
    const button = target(page, 'a.png')
    await button.click()
    t.equal(await button.getAttribute('aria-expanded'), 'true')
    const groups = page.getByRole('grid').getByRole('rowgroup')
    const names = await groups.evaluateAll((all) => all.map((one) => one.ariaLabel))
    t.strictSame(names.slice(0, 3), ['Often wanted', 'Pictures', 'Documents'])
    const field = page.getByRole('combobox', { name: 'Search' })
    const active = () =>
      page.evaluate(
        () => document.getElementById(document.activeElement!.getAttribute('aria-activedescendant')!)?.innerText,
      )
    t.equal(await active(), 'JPG\nFor photos', 'it stands at the first one')
    await field.press('ArrowRight')
    t.equal(await active(), 'WEBP\nSmall, for the web')
    await field.press('ArrowDown')
    t.equal(await active(), 'Compress\nStays PNG')
    await field.press('ArrowLeft')
    t.equal(await active(), 'PDF\nLooks the same everywhere')
    await field.press('ArrowUp')
    await field.press('ArrowUp')
    t.match(await active(), /^All \d+ formats$/, 'it wraps around')
    await field.press('Enter')
    t.ok(await page.getByRole('gridcell', { name: 'XWD', exact: true }).count(), 'and shows all')
    await field.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal(await button.innerText(), 'Choose', 'Escape changes nothing')
    await button.focus()
    await page.keyboard.type('webp')
    await page.waitForFunction(() =>
      document.querySelector('.choice[aria-selected=true]')?.textContent?.includes('WEBP'),
    )
    await page.keyboard.press('Enter')
    t.equal(await button.innerText(), 'WEBP')
    t.ok(await button.evaluate((one) => one === document.activeElement), 'the focus is where it was')
    await button.click()
    await field.fill('zzz')
    await page.getByText('No format matches your search.').waitFor()
    await field.fill('smaller')
    await field.press('Enter')
    await button.getByText('Compress, stays PNG').waitFor()
    await choose(page, 'a.png', 'webp')
    await page.reload()
    await give(page, await picture('b.png'))
    await untilStage(page, 'b.png', 'ready')
    t.equal(await target(page, 'b.png').innerText(), 'WEBP')
  },
)

t.test('options: presets and a slider at once, the rest behind a button, choices in words', async (t) => {
  const page = await open()
  await give(page, await picture('a.png', 300))
  await untilStage(page, 'a.png', 'ready')
  await choose(page, 'a.png', 'webp')
  await page.getByRole('button', { name: 'Options for a.png' }).click()
  const panel = page.getByRole('group', { name: 'Options for a.png' })
  t.equal(await panel.getByLabel('Quality').getAttribute('type'), 'range')
  await panel.getByLabel('Max. size').waitFor()
  t.notOk(await panel.getByLabel('Max. width').isVisible())
  await panel.getByText('More options').click()
  t.equal(await panel.getByLabel('Fit into the box').count(), 0, 'without a box, it has no effect')
  await panel.getByLabel('Max. height').fill('40')
  await panel.getByLabel('Max. width').fill('40')
  t.strictSame(await panel.getByLabel('Fit into the box').locator('option').allInnerTexts(), [
    'Default: Keep the whole picture',
    'Keep the whole picture',
    'Fill and crop',
    'Add a border',
    'Stretch',
    'Keep both sides at least this long',
  ])
  t.notMatch(await panel.innerText(), /inside|EXIF|targetSizeKb/, 'no words for developers')
  t.equal(await panel.getByRole('button', { name: /mail/ }).count(), 0, 'it is far smaller than that')
  await panel.getByLabel('Max. height').fill('')
  await panel.getByLabel('Lossless').check()
  await page.getByText('Cannot be combined with Lossless').first().waitFor()
  await panel.getByLabel('Lossless').uncheck()
  await panel.getByRole('button', { name: 'Smaller' }).click()
  t.equal(await panel.getByLabel('Quality').inputValue(), '60')
  await panel.getByLabel('Quality').press('ArrowRight')
  t.equal(await panel.locator('output').first().innerText(), '61')
  await panel.getByLabel('Max. width').fill('40')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Convert', exact: true }).click(),
  ])
  t.match(await sharp(await readFile(await saved.path())).metadata(), { format: 'webp', width: 40 })
  await page.getByRole('button', { name: 'Convert a.png again' }).click()
  await choose(page, 'a.png', 'jpg')
  t.equal(await page.getByLabel('Lossless').count(), 0, 'jpg has no lossless')
  await choose(page, 'a.png', 'bmp')
  await page.getByText('Max. height').waitFor()
  t.equal(await page.getByLabel('Quality').count(), 0, 'quality has no effect on bmp')
})

t.test('the presets of pictures have about the size of the result', async (t) => {
  const page = await open()
  const { buffer } = await picture('x.png', 900)
  const soft = await sharp(buffer).blur(2).jpeg({ quality: 95 }).toBuffer()
  await give(page, { name: 'a.jpg', mimeType: 'image/jpeg', buffer: soft })
  await untilStage(page, 'a.jpg', 'ready')
  await choose(page, 'a.jpg', 'webp')
  await page.getByRole('button', { name: 'Options for a.jpg' }).click()
  const smaller = page.getByRole('button', { name: /^Smaller about/ })
  const expected = Number(/about (\d+) kB/.exec(await smaller.innerText())![1])
  await smaller.click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Convert', exact: true }).click(),
  ])
  const { length } = await readFile(await saved.path())
  t.ok(Math.abs(expected * 1000 - length) < 0.3 * length, `${expected} kB were expected, ${length} bytes came`)
})

t.test('the presets of audio have the size of the result', async (t) => {
  const page = await open()
  const { stdout } = await execa('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=440:d=8', '-f', 'wav', '-'], {
    encoding: 'buffer',
  })
  await give(page, { name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from(stdout) })
  await untilStage(page, 'a.wav', 'ready')
  await choose(page, 'a.wav', 'mp3')
  await page.getByRole('button', { name: 'Options for a.wav' }).click()
  const balanced = page.getByRole('button', { name: /^Balanced/ })
  await balanced.getByText('about 192 kB').waitFor()
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'a.wav', 'done')
  t.match(await row(page, 'a.wav').locator('.sizes').innerText(), /→ 19\d kB/)
})

t.test('progress: in the row, in the title bar, and announced at intervals', async (t) => {
  const page = await open()
  await give(page, stub())
  await untilStage(page, 'story.stub', 'ready')
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
  t.strictSame(
    seen,
    seen.toSorted((a, b) => a - b),
    'it never falls',
  )
  t.ok(new Set(seen).size > 2, 'and moves')
  t.equal(await page.locator('#summary').getAttribute('aria-live'), 'polite')
  t.equal(await page.locator('#summary').textContent(), '1 file converted.')
})

t.test('several files: set all to, undo; and a file that starts by itself', async (t) => {
  const page = await open()
  const text = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Hello\n') }
  await give(page, await picture('a.png'), await picture('b.png'), text)
  for (const name of ['a.png', 'b.png', 'notes.md']) await untilStage(page, name, 'ready')
  await page.getByRole('button', { name: 'Convert all to' }).click()
  await page.getByRole('rowgroup', { name: 'Often wanted' }).getByRole('gridcell', { name: 'JPG For photos' }).waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('ico')
  await page.keyboard.press('Enter')
  await page.getByText(/^2 files will become ICO\. Not possible for 1: notes\.md\.$/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  t.equal(await target(page, 'a.png').innerText(), 'Choose')
  await choose(page, 'a.png', 'bmp')
  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.locator('#settings input').first().check()
  const [saved] = await Promise.all([page.waitForEvent('download'), give(page, await picture('d.png'))])
  t.equal(saved.suggestedFilename(), 'd.bmp', 'one action: the target is known, the rest is a setting')
})
