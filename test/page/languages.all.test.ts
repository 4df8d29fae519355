/** The languages of the page: the browser's is chosen, everything is translated, and Arabic runs from right to left. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { convertTo, give, picture, row, setUp } from '../harness/browser.ts'

const guest = { pendingJobs: null, conversionsPerDay: 2, bytesPerDay: '250MB' }
const { open } = await setUp(t, { plans: { guest } })
const texts = join(import.meta.dirname, '../../page')
const read = (folder: string, language: string) =>
  JSON.parse(readFileSync(join(texts, folder, `${language}.json`), 'utf8'))
const textsOf = (language: string): Record<string, any> => ({
  ...read('texts', language),
  ...read('details/texts', language),
})
const LOCALES = ['en-US', 'de-AT', 'fr-CA', 'es-MX', 'pt-BR', 'zh-TW', 'ja-JP', 'ar-EG']

for (const locale of LOCALES) {
  t.test(locale, async (t) => {
    const language = locale.slice(0, 2)
    const own = textsOf(language)
    const page = await open(undefined, { locale })
    t.equal(await page.getAttribute('html', 'lang'), language)
    t.equal(await page.getAttribute('html', 'dir'), language === 'ar' ? 'rtl' : 'ltr')
    t.equal(await page.locator('h1').innerText(), own.tagline)
    await give(page, await picture('a.png'), await picture('b.png'), await picture('c.png'))
    const three = own['bar.convert'][new Intl.PluralRules(language).select(3)].replace('{count}', '3')
    await page.locator('.files .row[data-stage=ready]').nth(2).waitFor()
    await page.locator('.actions .wanted button').first().click()
    await page.getByRole('button', { name: three }).waitFor()
    await page.locator('[aria-controls^=options]').first().click()
    await page.getByText(own['option.quality'], { exact: true }).waitFor()
    await page.getByRole('button', { name: own['preset.balanced'] }).waitFor()
    await page.locator('.target-field').first().click()
    await page.locator('.group-title').getByText(own['group.document']).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: own['settings.title'] }).click()
    await page.getByLabel(own['settings.language']).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, 'it fits into a narrow window')
    const left = page.locator('.actions .allowance')
    const lines = await left.evaluate((one) => {
      const { lineHeight, paddingBlock } = getComputedStyle(one)
      return (one.clientHeight - 2 * Number.parseFloat(paddingBlock)) / Number.parseFloat(lineHeight)
    })
    t.ok(lines < 2.5, `what is left today takes ${lines} lines`)
    const shown = await page.locator('body').innerText()
    t.notMatch(shown, /\{\w+\}|undefined|NaN/)
    await page.getByRole('button', { name: own['account.signIn'] }).click()
    await page.locator('.account form').waitFor()
    t.notMatch(await page.locator('main:visible').innerText(), /\{\w+\}|undefined|\w+\.\w+/)
  })
}

t.test('the language is chosen in the settings, and kept', async (t) => {
  const page = await open(undefined, { locale: 'sv-SE' })
  t.equal(await page.getAttribute('html', 'lang'), 'en', 'English for languages that the page does not have')
  await page.getByRole('button', { name: 'Settings' }).click()
  const field = page.getByLabel('Language')
  await field.waitFor()
  t.strictSame((await field.locator('option').allInnerTexts()).sort(), [
    'Deutsch',
    'English',
    'Español',
    'Français',
    'Português',
    'العربية',
    '日本語',
    '简体中文',
  ])
  await field.selectOption('العربية')
  await page.locator('html[dir=rtl][lang=ar]').waitFor()
  await page.reload()
  await page.locator('html[dir=rtl][lang=ar]').waitFor()
  t.equal(await page.locator('h1').innerText(), textsOf('ar').tagline)
})

t.test('right to left: the divider of a comparison, the progress and names in another direction', async (t) => {
  const page = await open()
  await convertTo(page, await picture('photo (1).png', 200), 'webp')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('العربية')
  await page.keyboard.press('Escape')
  await page.locator('html[dir=rtl]').waitFor()
  // Without isolation, the bracket would move to the other end.
  t.equal(await row(page, 'photo').locator('.row-name bdi').innerText(), 'photo (1).png')
  t.match(await row(page, 'photo').locator('.row-end button').getAttribute('aria-label'), '\u2068photo (1).png\u2069')
  await row(page, 'photo').locator('[aria-controls^=compare]').click()
  const stack = page.locator('.frame.divided')
  await stack.waitFor()
  const slider = page.getByRole('slider')
  await slider.press('Home')
  const at = () => stack.evaluate((one) => (one as HTMLElement).style.getPropertyValue('--at'))
  t.equal(await at(), '0%')
  await slider.press('ArrowLeft')
  t.equal(await at(), '1%', 'it begins at the right')
  const { x, y, width, height } = (await stack.boundingBox())!
  await page.mouse.click(x + width * 0.8, y + height / 2)
  t.match(await at(), /^(19|20|21)/)
  const cut = await stack.locator('.before').evaluate((one) => getComputedStyle(one).clipPath)
  t.ok(Math.abs(Number(/^inset\(0px 0px 0px ([\d.]+)px\)/.exec(cut)![1]) - width * 0.8) < 2, cut)
})
