/** Accessibility and size of the page: contrast, names, keyboard, narrow windows, and the bytes of the first load. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { give, picture, setSleep, setUp, stub, untilStage, violations } from './household.ts'

const { open } = await setUp(t, { page: { notice: 'For members.', imprint: 'https://example.org/imprint' } })
const built = join(import.meta.dirname, '../../node_modules/.cache/athanor-page')

/** Shows the states of the page one after the other. @param look Called in each state. */
async function walkStates(page: Page, look: (state: string) => Promise<void>): Promise<void> {
  await look('empty')
  const { buffer } = await picture('x.png')
  const long = `${'a name that does not end '.repeat(8)}.jpg`
  await give(page, stub('slow.stub'), { name: long, mimeType: 'image/jpeg', buffer }, await picture('b.png'))
  await give(page, { name: 'riddle.qqq', mimeType: '', buffer: Buffer.from([0, 1, 2, 254]) })
  for (const name of ['slow.stub', 'a name', 'b.png']) await untilStage(page, name, 'ready')
  await untilStage(page, 'riddle.qqq', 'failed')
  await setSleep(page, 'slow.stub', 60_000)
  await page.getByRole('button', { name: 'Options for b.png' }).click()
  await page.getByLabel('Quality').waitFor()
  await look('options')
  await page.getByRole('combobox', { name: 'Convert b.png to' }).click()
  await look('combobox')
  await page.keyboard.press('Escape')
  await page.locator('.settings button').click()
  await look('settings')
  await page.keyboard.press('Escape')
  await page.locator('.actions .large').click()
  await untilStage(page, 'b.png', 'done')
  await untilStage(page, 'slow.stub', 'processing')
  await look('working')
  await page.getByRole('button', { name: 'Cancel slow.stub' }).click()
  await page.reload()
  await page.locator('.history').waitFor()
  await look('history')
}

for (const [kind, options] of Object.entries({
  'light and wide': { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 }, hasTouch: true },
} as const)) {
  t.test(`${kind}: axe finds nothing, nothing is cut off, targets are large`, async (t) => {
    const page = await open(undefined, options)
    await walkStates(page, async (state) => {
      // In a transition, axe would measure colours in between.
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      t.strictSame(await violations(page), [], state)
      const { clientWidth, scrollWidth } = await page.evaluate(() => {
        const { clientWidth, scrollWidth } = document.documentElement
        return { clientWidth, scrollWidth }
      })
      t.ok(scrollWidth <= clientWidth, `${state}: ${scrollWidth} of ${clientWidth} pixels`)
      const small = await page.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>(
            'button, select, [role=combobox], [role=option], input[type=number]',
          ),
        ]
          .filter((one) => one.checkVisibility())
          .map((one) => ({ name: one.ariaLabel || one.innerText, box: one.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 44 || box.height < 43.9)
          .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
      )
      t.strictSame(small, [], `${state}: 44 pixels`)
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
  await page.keyboard.press('Enter')
  await tabTo('Options for a.png')
  await page.keyboard.press('Enter')
  await page.getByLabel('Lossless').waitFor()
  await page.getByLabel('Lossless').focus()
  await page.keyboard.press('Space')
  t.ok(await page.getByLabel('Lossless').isChecked())
  await tabTo('Convert')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  t.equal(saved.suggestedFilename(), 'a.webp')
})

t.test('forced colours and reduced motion', async (t) => {
  const page = await open(undefined, { forcedColors: 'active', reducedMotion: 'reduce' })
  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  const [fade, border] = await page.evaluate(() => {
    const style = getComputedStyle(document.querySelector('.primary')!)
    return [style.transitionDuration, style.borderTopColor]
  })
  t.equal(fade, '0s')
  t.not(border, 'rgba(0, 0, 0, 0)', 'buttons have an edge')
})

t.test('the limits of the first load', async (t) => {
  const size = (pattern: RegExp, ending = '') =>
    readdirSync(built)
      .filter((name) => pattern.test(name))
      .reduce((sum, name) => sum + statSync(join(built, name + ending)).size, 0)
  // What the page names: the script, and the parts that it shares with lazily loaded ones.
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  const first = [...html.matchAll(/page\/([\w-]+\.js)"/g)].map(([, name]) => name!)
  const main = first.map((name) => readFileSync(join(built, name), 'utf8')).join('\n')
  for (const [, name] of main.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
    t.ok(first.includes(name!), `${name} is named`)
  const firstLoad = (ending = '') =>
    size(new RegExp(`^(${first.map((name) => RegExp.escape(name)).join('|')})$`), ending)
  t.comment(
    `script ${firstLoad()}, brotli ${firstLoad('.br')}, everything ${size(/\.js$/)}; style ${size(/\.css$/)}, brotli ${size(/\.css$/, '.br')}`,
  )
  t.ok(firstLoad('.br') <= 25_000)
  t.ok(firstLoad() <= 75_000)
  t.ok(size(/\.css$/, '.br') <= 12_000)
  t.ok(size(/\.js$/) <= 150_000, 'everything')
  const code = readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(built, name), 'utf8'))
  t.notMatch(code.join('\n'), /https?:\/\/(?!www\.w3\.org)/, 'no address of another host')
})

t.test("the operator's notice and link are shown", async (t) => {
  const page = await open()
  await page.getByText('For members.').waitFor()
  t.equal(await page.getByRole('link', { name: 'Legal notice' }).getAttribute('href'), 'https://example.org/imprint')
})
