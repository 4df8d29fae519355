/** Contrast, names, keyboard, focus, narrow windows, long names, and the first view. */
import t from 'tap'
import { give, picture, row, setUp, stub, target, untilStage } from '../harness/browser.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'

const { open, service } = await setUp(t, { page: { notice: 'For members.', imprint: 'https://example.org/imprint' } })

for (const locale of ['de', 'ar'])
  t.test(`the longest words, and from right to left: nothing is cut off in a narrow window in ${locale}`, async (t) => {
    const page = await open(undefined, { locale, viewport: { width: 320, height: 640 }, hasTouch: true })
    t.equal(await page.evaluate('document.dir'), locale === 'ar' ? 'rtl' : 'ltr')
    const look = async (state: string) => {
      await expectAccessible(t, page, state)
      await expectLargeTargets(t, page, state)
    }
    await look('empty')
    await give(page, await picture('a.png'), stub('b.stub'))
    await untilStage(page, 'b.stub', 'ready')
    await row(page, 'a.png').locator('.target-field').click()
    await page.locator('.choice[aria-selected=true]').waitFor()
    await look('targets')
    await page.keyboard.press('Escape')
    await page.locator('.settings > button').click()
    await page.locator('.settings select').waitFor()
    await look('settings')
    await page.keyboard.press('Escape')
    await page.locator('.header-actions > button').click()
    await page.locator('.account form').waitFor()
    await look('sign in')
  })

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

t.test('the first view is there before anything is asked for or formatted', async (t) => {
  const page = await (await open(undefined, { locale: 'de-DE' })).context().newPage()
  await page.addInitScript({ content: WATCH })
  await page.goto(`${service.base}/`)
  // What comes later is there too.
  await page.locator('footer p').filter({ hasText: /\d/ }).waitFor()
  t.strictSame(await page.evaluate('early'), [])
  const requests = (await page.evaluate('requests')) as string[]
  const html = await (await fetch(`${service.base}/`, { headers: { accept: 'text/html' } })).text()
  const later = requests.filter((name) => !html.includes(name))
  t.match(later, [/^de-\w+\.js$/], 'the page names all files that it needs, except the language')
  t.equal(later.length, 1)
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
