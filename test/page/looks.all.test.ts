/**
 * The first view, and what the page looks like where it was once wrong: narrow windows, long names, progress,
 * comparisons.
 */
import sharp from 'sharp'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import {
  choose,
  convertTo,
  give,
  picture,
  row,
  search,
  setUp,
  startSlow,
  stub,
  untilStage,
} from '../harness/browser.ts'

const { open, service } = await setUp(t)
const phone = { viewport: { width: 320, height: 640 }, hasTouch: true }

/** Bounds of an element in pixels. */
const box = (element: HTMLElement) => element.getBoundingClientRect().toJSON() as DOMRect

t.test('on a phone, rows are low, the target of all is in sight, and a message goes when files start', async (t) => {
  const page = await open(undefined, phone)
  await give(page, stub('a.stub'), stub('b.stub'))
  await untilStage(page, 'b.stub', 'ready')
  const bar = page.locator('.actions-row')
  t.ok((await bar.evaluate(box)).height < 130, 'two lines')
  t.ok((await row(page, 'a.stub').evaluate(box)).height <= 73)
  await page.getByRole('button', { name: 'Convert all to' }).click()
  const sheet = page.getByRole('dialog')
  const { bottom, width } = await sheet.evaluate(box)
  t.strictSame([bottom, width], [640, 320], 'the list comes from below')
  t.equal(
    await page.evaluate(() => document.activeElement?.tagName),
    'DIALOG',
    'no keyboard until the search is touched',
  )
  await page.keyboard.press('Escape')
  await search(page, page.getByRole('button', { name: 'Convert all to' }), 'bust')
  const notice = page.locator('.notice p')
  await notice.waitFor()
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await notice.waitFor({ state: 'detached' })
  await untilStage(page, 'b.stub', 'done')
})

t.test('the bar of a file shows what the words beside it say', async (t) => {
  const page = await open()
  await startSlow(page, 'story.stub', 60_000)
  const bar = row(page, 'story.stub').getByRole('progressbar')
  // Both at once: it moves.
  const { said, now } = await bar.evaluate((one) => ({ said: one.ariaValueText ?? '', now: one.ariaValueNow }))
  t.equal(now, /(\d+)\s?%/.exec(said)?.[1])
  await page.getByRole('button', { name: 'Cancel story.stub' }).click()
  await untilStage(page, 'story.stub', 'ready')
})

t.test('long names take two lines, and all tags have one width', async (t) => {
  const page = await open(undefined, phone)
  const { buffer } = await picture('x.png')
  const name = `${'minutes of the meeting '.repeat(6)}.png`
  await give(page, { name, mimeType: 'image/png', buffer }, stub('a.stub'))
  await untilStage(page, 'a.stub', 'ready')
  await untilStage(page, 'minutes', 'ready')
  const { height } = await row(page, 'minutes').locator('.row-name').evaluate(box)
  const line = (await row(page, 'a.stub').locator('.row-name').evaluate(box)).height
  t.equal(Math.round(height / line), 2)
  const tags = await page.locator('.files .tag').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
  t.equal(new Set(tags.map(({ width }) => width)).size, 1)
  for (const part of ['.tag', '.row-end']) {
    const inner = row(page, 'minutes').locator(part)
    const outer = row(page, 'minutes')
    t.ok((await inner.evaluate(box)).top - (await outer.evaluate(box)).top < 16, `${part} is at the top of its row`)
  }
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

t.test('a result that is much larger than its source is compared by a factor', async (t) => {
  const page = await open()
  const create = { width: 200, height: 200, channels: 3, background: '#0d5f54' } as const
  await convertTo(
    page,
    { name: 'a.gif', mimeType: 'image/gif', buffer: await sharp({ create }).gif().toBuffer() },
    'bmp',
  )
  t.match(await row(page, 'a.gif').locator('.sizes small').innerText(), /^[\d.,]+ times the size$/)
})

t.test('a comparison whose result is gone says so', async (t) => {
  const page = await open()
  await convertTo(page, await picture('a.png'), 'webp')
  await page.route(
    (url) => url.searchParams.has('token'),
    (route) => route.fulfill({ status: 404, body: '{}' }),
  )
  await row(page, 'a.png').locator('[aria-controls^="compare"]').click()
  await page.getByText(english['compare.failed']).waitFor()
  t.equal(await page.locator('.stack').count(), 0)
})

t.test('the texts of buttons in the header end at the edge of the column', async (t) => {
  const page = await open(undefined, { viewport: { width: 1280, height: 900 } })
  const end = (selector: string) => page.locator(selector).evaluate((one) => one.getBoundingClientRect().right)
  t.ok(Math.abs((await end('.settings > button span')) - (await end('.ways'))) < 1.5)
})

t.test('in forced colours, the edges of these buttons do', async (t) => {
  const page = await open(undefined, { forcedColors: 'active', viewport: { width: 1280, height: 900 } })
  await give(page, stub('a.stub'))
  await untilStage(page, 'a.stub', 'ready')
  const { right } = await page.locator('.files').evaluate(box)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await page.getByRole('button', { name: 'Convert a.stub again' }).click()
  for (const selector of ['.settings > button', '.folder-button', '.history > header > button'])
    t.ok(Math.abs((await page.locator(selector).evaluate(box)).right - right) < 1.5, selector)
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

t.test('the size limit appears in its own line', async (t) => {
  const page = await open()
  await page.locator('.drop-button .hint').getByText('MB').waitFor()
  t.pass()
})
