import type { Page } from 'playwright-core'
import { give, picture, row, stub, untilStage } from '../harness/browser.ts'
import { zipOf } from './archives.ts'

/** Shows the states of the page one after the other, in any language. @param look Called in each state. */
export async function walkStates(page: Page, look: (state: string) => Promise<void>): Promise<void> {
  await look('empty')
  await page.dispatchEvent('footer', 'dragover', {
    dataTransfer: await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([], 'a.png'))
      return transfer
    }),
  })
  await look('overlay')
  await page.dispatchEvent('footer', 'dragleave')
  const { buffer } = await picture('x.png')
  const long = `${'a name that does not end '.repeat(8)}.jpg`
  await give(page, stub('slow.stub'), { name: long, mimeType: 'image/jpeg', buffer }, await picture('b.png'))
  await give(page, { name: 'riddle.qqq', mimeType: '', buffer: Buffer.from([0, 1, 2, 254]) })
  const archive = zipOf({ name: 'notes.md', content: '# Sun' })
  await give(page, { name: 'scans.zip', mimeType: 'application/zip', buffer: archive })
  for (const name of ['slow.stub', 'a name', 'b.png']) await untilStage(page, name, 'ready')
  await untilStage(page, 'riddle.qqq', 'failed')
  await row(page, 'scans.zip').locator('.primary:enabled').waitFor()
  const part = (name: string, part: string) => row(page, name).locator(`[aria-controls^="${part}"]`).first()
  const openOptions = async (name: string) => {
    if (await part(name, 'options').isVisible()) return part(name, 'options').click()
    await row(page, name).locator('.target-field').click()
    await page.locator('.picker-options').click()
  }
  await openOptions('slow.stub')
  await page.getByLabel('sleep').fill('60000')
  await openOptions('b.png')
  await row(page, 'b.png').locator('.options').waitFor()
  await look('options')
  await row(page, 'b.png').locator('.target-field').click()
  await page.locator('.choice[aria-selected=true]').waitFor()
  await look('targets')
  // The page chooses no target for a PNG by itself.
  await page.locator('.choice').filter({ hasText: 'WEBP' }).first().click()
  // In a narrow window, some actions for all files are behind this button.
  const more = page.locator('button.more')
  if (await more.isVisible()) {
    await more.click()
    await page.locator('.actions .target-field').waitFor()
    await look('more actions')
    await more.click()
  }
  await page.locator('.settings > button').click()
  await page.locator('.settings select').waitFor()
  await look('settings')
  await page.keyboard.press('Escape')
  await row(page, 'scans.zip').locator('.row-end button').click()
  await page.locator('.actions .large').last().click()
  await untilStage(page, 'b.png', 'done')
  await untilStage(page, 'slow.stub', 'processing')
  await part('b.png', 'compare').click()
  await row(page, 'b.png').locator('.divider').waitFor()
  await look('working')
  await row(page, 'slow.stub').locator('.row-end button').click()
  await page.reload()
  await page.locator('.history').waitFor()
  await look('history')
  await page.locator('.history > header button').first().click()
  await look('delete all')
  await page.keyboard.press('Escape')
  await page.locator('.header-actions > button').click()
  await page.locator('.account form').waitFor()
  await look('sign in')
  await page.locator('.account-more button').last().click()
  await page.locator('.account input[autocomplete=name]').waitFor()
  await look('register')
}
