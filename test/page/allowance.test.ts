/** What is left of the limits is said before it hurts. */
import t from 'tap'
import { give, picture, setUp, untilStage, violations } from './household.ts'

const { open } = await setUp(t, { plans: { guest: { conversionsPerDay: 3, bytesPerDay: '50kB', filesPerBatch: 2 } } })

t.test('what is left today, before and after conversions, of conversions and of bytes', async (t) => {
  const page = await open()
  await page.getByText('3 conversions left today.').waitFor()
  const files = await Promise.all(['a', 'b', 'c', 'd'].map((name) => picture(`${name}.png`)))
  await give(page, ...files)
  for (const { name } of files) await untilStage(page, name, 'ready')
  const said = page.locator('.actions .allowance.short')
  t.equal(await said.innerText(), '3 conversions left today. Files of 50 kB left today.')
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Remove d.png' }).click()
  t.equal(await said.count(), 0, 'enough for three')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  for (const { name } of files.slice(0, 3)) await untilStage(page, name, 'done')
  await give(page, files[3]!)
  await page.getByText('0 conversions left today.').waitFor()
})
