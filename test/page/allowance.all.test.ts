/** What is left of the limits is said before it hurts. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { give, picture, setUp, stub, untilStage, violations } from '../harness/browser.ts'

const { open } = await setUp(t, { plans: { guest: { conversionsPerDay: 3, bytesPerDay: '250MB', filesPerBatch: 2 } } })

t.test('what is left today, before and after conversions, of conversions and of bytes', async (t) => {
  const page = await open()
  await page.getByText('Left today: 3 conversions').waitFor()
  const files = await Promise.all(['a', 'b', 'c', 'd'].map((name) => picture(`${name}.png`)))
  await give(page, ...files)
  for (const { name } of files) await untilStage(page, name, 'ready')
  const said = page.locator('.actions .allowance.short')
  t.equal(await said.innerText(), 'Left today: 3 conversions · 250 MB')
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Remove d.png' }).click()
  // It is enough for three.
  await said.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  for (const { name } of files.slice(0, 3)) await untilStage(page, name, 'done')
  await give(page, files[3]!)
  await page.getByText('Left today: 0 conversions').waitFor()
})

t.test('on a phone, it takes one line in every language', async (t) => {
  // Words for many are the widest.
  const { open } = await setUp(t, { plans: { guest: { conversionsPerDay: 30, bytesPerDay: '250MB' } } })
  for (const name of readdirSync(join(import.meta.dirname, '../../page/texts'))) {
    const [language, ending] = name.split('.')
    if (ending !== 'json') continue
    const page = await open(undefined, { locale: language!, viewport: { width: 320, height: 640 }, hasTouch: true })
    await give(page, ...Array.from({ length: 3 }, (_, at) => stub(`${at}.stub`)))
    await untilStage(page, '2.stub', 'ready')
    const said = page.locator('.actions .allowance')
    await said.waitFor()
    const lines = await said.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight))
    t.ok(lines < 1.5, `${language}: ${lines} lines`)
    await page.context().close()
  }
})
