/** The page reacts before it asks the service for anything, and before it loads what the browser needs to format numbers. */
import t from 'tap'
import { give, picture, row, setUp, untilStage } from '../harness/browser.ts'

const { open, service } = await setUp(t)

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
    t.ok(requests.length <= 8, `${requests.length} requests`)
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
  await page.locator('.drop-button .hint').nth(1).getByText('MB').waitFor()
  t.pass()
})
