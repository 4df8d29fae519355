/** The languages of the page in a browser: the browser's is chosen, and everything fits. Texts: texts.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { convertTo, give, picture, row, setUp } from '../harness/browser.ts'

const guest = { pendingJobs: null, conversionsPerDay: 2, bytesPerDay: '250MB' }
const { open } = await setUp(t, { plans: { guest } })
const read = (folder: string, language: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../page', folder, `${language}.json`), 'utf8'))

for (const locale of ['sv-SE', 'de-AT', 'fr-CA', 'es-MX', 'pt-BR', 'zh-TW', 'ja-JP', 'ar-EG'])
  t.test(locale, async (t) => {
    // English for languages that the page does not have.
    const language = locale.slice(0, 2).replace('sv', 'en')
    const own = { ...read('texts', language), ...read('details/texts', language) }
    const page = await open(undefined, { locale })
    t.equal(await page.getAttribute('html', 'lang'), language)
    t.equal(await page.getAttribute('html', 'dir'), language === 'ar' ? 'rtl' : 'ltr')
    await give(page, await picture('a.png'), await picture('b.png'), await picture('c.png'))
    const three = own['bar.convert'][new Intl.PluralRules(language).select(3)].replace('{count}', '3')
    await page.locator('.files .row[data-stage=ready]').nth(2).waitFor()
    await page.locator('.actions .wanted button').first().click()
    await page.getByRole('button', { name: three }).waitFor()
    await page.locator('[aria-controls^=options]').first().click()
    await page.getByText(own['option.quality'], { exact: true }).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, 'it fits into a narrow window')
    const lines = await page.locator('.actions .allowance').evaluate((one) => {
      const { lineHeight, paddingBlock } = getComputedStyle(one)
      return (one.clientHeight - 2 * Number.parseFloat(paddingBlock)) / Number.parseFloat(lineHeight)
    })
    t.ok(lines < 2.5, `what is left today takes ${lines} lines`)
    t.notMatch(await page.locator('body').innerText(), /\{\w+\}|undefined|NaN/)
  })

t.test('right to left: the divider of a comparison, and names in another direction', async (t) => {
  const page = await open()
  await convertTo(page, await picture('photo (1).png', 200), 'webp')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('العربية')
  await page.keyboard.press('Escape')
  await page.locator('html[dir=rtl]').waitFor()
  // Without isolation, the bracket would move to the other end.
  t.equal(await row(page, 'photo').locator('.row-name bdi').innerText(), 'photo (1).png')
  await row(page, 'photo').locator('[aria-controls^=compare]').click()
  const stack = page.locator('.frame.divided')
  await stack.waitFor()
  const slider = page.getByRole('slider')
  await slider.press('Home')
  const at = () => stack.evaluate((one) => (one as HTMLElement).style.getPropertyValue('--at'))
  await slider.press('ArrowLeft')
  t.equal(await at(), '1%', 'it begins at the right')
  const { x, y, width, height } = (await stack.boundingBox())!
  await page.mouse.click(x + width * 0.8, y + height / 2)
  t.match(await at(), /^(19|20|21)/)
})
