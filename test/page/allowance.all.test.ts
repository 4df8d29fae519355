/** What is left of the limits is said before it hurts. */
import t from 'tap'
import { give, picture, setUp, untilStage, violations } from '../harness/browser.ts'

const { open } = await setUp(t, { plans: { guest: { conversionsPerDay: 3, bytesPerDay: '250MB', filesPerBatch: 2 } } })

t.test('what is left today, before and after conversions, of conversions and of bytes', async (t) => {
  const page = await open()
  await page.getByText('Left today: 3 conversions').waitFor()
  const files = await Promise.all(['a', 'b', 'c', 'd'].map((name) => picture(`${name}.png`)))
  await give(page, ...files)
  for (const { name } of files) await untilStage(page, name, 'ready')
  const said = page.locator('.actions .allowance.short')
  t.equal((await said.innerText()).trim(), '3 of your 4 files can be converted today. Sign in for 25.')
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Remove d.png' }).click()
  // It is enough for three.
  await said.waitFor({ state: 'detached' })
  await page.locator('.actions .wanted').getByRole('button', { name: 'WEBP' }).click()
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  for (const { name } of files.slice(0, 3)) await untilStage(page, name, 'done')
  await give(page, files[3]!)
  await page.getByText('This file cannot be converted today any more. Sign in for 25.').waitFor()
})
