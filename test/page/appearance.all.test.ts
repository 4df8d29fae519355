/** Accessibility of the page: contrast, names, keyboard, focus, narrow windows. */
import { join } from 'node:path'
import t from 'tap'
import { choose, give, picture, setUp, startSlow, stub, target, untilStage } from '../harness/browser.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'
import { walkStates } from './states.ts'

const { open } = await setUp(t, { page: { notice: 'For members.', imprint: 'https://example.org/imprint' } })
/** Where a picture of each state goes, if the variable SCREENSHOTS is set. */
const screenshots = process.env.SCREENSHOTS && join(import.meta.dirname, 'screenshots')

for (const [kind, options] of Object.entries({
  'light and wide': { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'dark and narrow': { colorScheme: 'dark', viewport: { width: 320, height: 640 }, hasTouch: true },
  'at 200 % zoom': { colorScheme: 'light', viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
  'right to left': { locale: 'ar', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
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

t.test('forced colours and reduced motion', async (t) => {
  const page = await open(undefined, { forcedColors: 'active', reducedMotion: 'reduce' })
  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  await choose(page, 'a.png', 'jpg')
  await page.locator('.primary').waitFor()
  const [fade, border] = await page.evaluate(() => {
    const style = getComputedStyle(document.querySelector('.primary')!)
    return [style.transitionDuration, style.borderTopColor]
  })
  t.equal(fade, '0s')
  t.not(border, 'rgba(0, 0, 0, 0)', 'buttons have an edge')
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
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Cancel slow.stub' }).press('Enter')
  await untilStage(page, 'slow.stub', 'ready')
})

t.test("the operator's link is shown", async (t) => {
  const page = await open()
  t.equal(await page.getByRole('link', { name: 'Legal notice' }).getAttribute('href'), 'https://example.org/imprint')
})
