/** Contrast, names, keyboard, focus, narrow windows, long names, and the first view. */
import { join } from 'node:path'
import t from 'tap'
import { choose, give, picture, row, setUp, startSlow, stub, target, untilStage } from '../harness/browser.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'
import { walkStates } from './states.ts'

const { open, service } = await setUp(t, { page: { notice: 'For members.', imprint: 'https://example.org/imprint' } })
/** Where a picture of each state goes, if the variable SCREENSHOTS is set. */
const screenshots = process.env.SCREENSHOTS && join(import.meta.dirname, 'screenshots')

for (const [kind, options] of Object.entries({
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 }, hasTouch: true },
  'at 200 % zoom': { colorScheme: 'light', viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
  'right to left, narrow': { locale: 'ar', viewport: { width: 320, height: 640 }, hasTouch: true },
  // It has the longest words.
  'German, narrow': { locale: 'de', viewport: { width: 320, height: 640 }, hasTouch: true },
} as const)) {
  t.test(`${kind}: axe finds nothing, nothing is cut off, targets are large`, async (t) => {
    const page = await open(undefined, options)
    t.equal(await page.evaluate('document.dir'), kind.startsWith('right to left') ? 'rtl' : 'ltr')
    await walkStates(page, async (state) => {
      await expectAccessible(t, page, state)
      await expectLargeTargets(t, page, state)
      if (screenshots) await page.screenshot({ path: join(screenshots, `${kind}, ${state}.png`), fullPage: true })
    })
  })
}

t.test('everything works with the keyboard only', async (t) => {
  const page = await open()
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document
      return at?.ariaLabel || (at as HTMLElement)?.innerText?.split('\n')[0] || ''
    })
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: string) => {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      if ((await focused()).startsWith(name)) return
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  const choosing = page.waitForEvent('filechooser')
  await tabTo('Drop files here')
  await page.keyboard.press('Enter')
  const chooser = await choosing
  await chooser.setFiles([await picture('a.png')])
  await untilStage(page, 'a.png', 'ready')
  await tabTo('Convert a.png to')
  await page.keyboard.type('webp')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.press('Enter')
  await tabTo('Options for a.png')
  await page.keyboard.press('Enter')
  await page.getByText('More options').press('Enter')
  await page.getByLabel('Lossless').waitFor()
  await page.getByLabel('Lossless').focus()
  await page.keyboard.press('Space')
  t.ok(await page.getByLabel('Lossless').isChecked())
  await tabTo('Convert')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  t.equal(saved.suggestedFilename(), 'a.webp')
})

t.test('the focus stays near what it was on, when that goes', async (t) => {
  const page = await open()
  await give(page, stub('a.stub'), stub('b.stub'), stub('c.stub'))
  for (const name of ['a.stub', 'b.stub', 'c.stub']) await untilStage(page, name, 'ready')
  const focused = (name: string) =>
    page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label')?.includes(name), name)
  // A held key must not press what gets the focus.
  await page.getByRole('button', { name: 'Remove b.stub' }).focus()
  await page.keyboard.down('Enter')
  await focused('Convert c.stub to')
  await page.keyboard.down('Enter')
  t.equal(await target(page, 'c.stub').getAttribute('aria-expanded'), 'false')
  await page.keyboard.up('Enter')
  await page.getByRole('button', { name: 'Convert 2 files' }).press('Enter')
  await page.getByText('2 of 2 done').waitFor()
  t.ok(await page.evaluate(() => document.activeElement?.closest('.actions')), 'not at the top of the page')
  await page.getByRole('button', { name: 'Convert a.stub again' }).press('Enter')
  await focused('Convert a.stub to')
  await page.getByRole('button', { name: 'Remove a.stub' }).press('Enter')
  await focused('Download c.stub')
  await page.getByRole('button', { name: 'Remove c.stub' }).press('Enter')
  await page.waitForFunction(() => document.activeElement?.classList.contains('drop-button'))
})

t.test('the focus goes to a row that has only a button which cancels', async () => {
  const page = await open()
  await startSlow(page, 'slow.stub', 60_000)
  await give(page, await picture('a.png'))
  await page.getByRole('button', { name: 'Remove a.png' }).press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('.row[data-stage=processing]'))
  await page.getByRole('button', { name: 'Cancel slow.stub' }).press('Enter')
  await untilStage(page, 'slow.stub', 'ready')
})

/** Bounds of an element in pixels. */
const box = (element: HTMLElement) => element.getBoundingClientRect().toJSON() as DOMRect

t.test('on a phone, rows are low, long names take two lines, and the list of targets comes from below', async (t) => {
  const page = await open(undefined, { viewport: { width: 320, height: 640 }, hasTouch: true })
  const { buffer } = await picture('x.png')
  const name = `${'minutes of the meeting '.repeat(6)}.png`
  await give(page, { name, mimeType: 'image/png', buffer }, stub('a.stub'))
  await untilStage(page, 'a.stub', 'ready')
  await untilStage(page, 'minutes', 'ready')
  t.ok((await page.locator('.actions-row').evaluate(box)).height < 130, 'two lines')
  const short = await row(page, 'a.stub').evaluate(box)
  t.ok(short.height <= 73)
  const { height } = await row(page, 'minutes').locator('.row-name').evaluate(box)
  t.equal(Math.round(height / (await row(page, 'a.stub').locator('.row-name').evaluate(box)).height), 2)
  await page.getByRole('button', { name: 'Convert all to' }).click()
  const { bottom, width } = await page.getByRole('dialog').evaluate(box)
  t.strictSame([bottom, width], [640, 320])
  const focused = await page.evaluate(() => document.activeElement?.tagName)
  t.equal(focused, 'DIALOG', 'no keyboard until the search is touched')
})

t.test('the names of files keep room beside the choices, and downloads stand in one column', async (t) => {
  const page = await open(undefined, { viewport: { width: 720, height: 900 } })
  await give(page, await picture('a.png'), await picture('b.png'))
  await untilStage(page, 'b.png', 'ready')
  t.ok((await row(page, 'a.png').locator('.row-name').evaluate(box)).width > 150)
  await page.setViewportSize({ width: 1280, height: 900 })
  await choose(page, 'a.png', 'webp')
  await choose(page, 'b.png', 'pdf')
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await untilStage(page, 'a.png', 'done')
  await untilStage(page, 'b.png', 'done')
  const places = await page.locator('.saving').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
  t.equal(new Set(places.map(({ left, right }) => `${left} ${right}`)).size, 1, 'a PDF is not compared')
})

/** Notes each formatter that is made before the first frame with the drop zone, and each request of a script. */
const WATCH = `
  window.early = []
  let shown = false
  const note = (what) => shown || early.push(what)
  for (const name of ['NumberFormat', 'PluralRules', 'RelativeTimeFormat', 'DateTimeFormat', 'ListFormat', 'Collator'])
    Intl[name] = new Proxy(Intl[name], { construct: (own, given) => (note(name), new own(...given)) })
  window.fetch = new Proxy(fetch, { apply: (own, self, given) => (note('fetch'), own.apply(self, given)) })
  const look = () => {
    if (!document.querySelector('.drop-button')) return requestAnimationFrame(look)
    shown = true
    window.requests = performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*[/]/, ''))
  }
  requestAnimationFrame(look)`

for (const locale of ['en-GB', 'de-DE'])
  t.test(`the first view in ${locale}`, async (t) => {
    const page = await (await open(undefined, { locale })).context().newPage()
    await page.addInitScript({ content: WATCH })
    await page.goto(`${service.base}/`)
    // What comes later is there too.
    await page.locator('footer p').filter({ hasText: /\d/ }).waitFor()
    t.strictSame(await page.evaluate('early'), [], 'nothing is asked for, and no formatter is made')
    const requests = (await page.evaluate('requests')) as string[]
    const html = await (await fetch(`${service.base}/`, { headers: { accept: 'text/html' } })).text()
    const later = requests.filter((name) => !html.includes(name))
    const language = locale === 'en-GB' ? [] : [/^de-\w+\.js$/]
    t.match(later, language, 'the page names all files that it needs, except the language')
    t.equal(later.length, language.length)
    t.ok(requests.length <= 8, requests.join(' '))
  })

t.test('a file that is given before the formats are there starts by itself, with its last target', async () => {
  const page = await open()
  await page.evaluate(() =>
    localStorage.setItem('athanor.settings', JSON.stringify({ startByItself: true, targets: { png: 'webp' } })),
  )
  const held = Promise.withResolvers<void>()
  await page.route('**/api/formats', (route) => held.promise.then(() => route.continue()))
  await page.reload()
  await page.locator('.drop-button').waitFor()
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/api/uploads')),
    give(page, await picture('a.png')),
  ])
  held.resolve()
  await untilStage(page, 'a.png', 'done')
  await row(page, 'a.png').getByRole('button', { name: 'Download a.png → WEBP' }).waitFor()
})
