import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Test } from 'tap'
import { choose, give, openOptions, picture, row, savedBy, setSleep, stub, untilStage } from '../harness/browser.ts'
import { type Origin, startOrigin } from '../harness/servers/origin.ts'
import { namesIn, zipOf } from './archives.ts'
import { drop, paste } from './transfers.ts'

/** The service must be allowed to fetch from the scenario's own web server. */
export const imports = { allowNetworks: ['127.0.0.1'] }

/** Called when the page shows what a step has led to. */
type Look = (step: string) => Promise<void>

/**
 * Uses an open page as a user does, from the first file to the deletion of results. It stays within the default limits
 * of guests: 8 uploads and 8 conversions. The service must refuse no request.
 */
export async function playScenario(t: Test, page: Page, look: Look = async () => {}): Promise<void> {
  await using origin = await startOrigin(async (_, res) => void res.end((await picture('far.png', 120)).buffer))
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  await addFiles(page, look)
  await convertThem(t, page, look)
  await saveThem(t, page, look)
  await addOtherwise(t, page, origin, look)
  await useHistory(t, page, look)
  t.strictSame(refused, [], 'nothing is refused')
}

/** By input, by drop, and what is in an archive. */
async function addFiles(page: Page, look: Look): Promise<void> {
  await give(page, await picture('sun.png', 120), stub('long.stub'))
  await drop(page, await picture('sea.png'))
  const notes = { name: 'day 1/notes.md', content: '# Sun\n' }
  const archive = zipOf(notes, { name: 'day 2/rose.png', content: (await picture('rose.png')).buffer })
  await give(page, { name: 'holiday.zip', mimeType: 'application/zip', buffer: archive })
  await page.getByText(/2 files inside/).waitFor()
  await look('asked')
  await page.getByRole('button', { name: /files inside/ }).click()
  for (const name of ['sun.png', 'long.stub', 'sea.png', 'notes.md', 'rose.png']) await untilStage(page, name, 'ready')
  await look('ready')
}

async function convertThem(t: Test, page: Page, look: Look): Promise<void> {
  const more = page.locator('button.more')
  await more.waitFor({ state: 'attached' })
  // In a narrow window, the actions for all files are behind this button.
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Convert all to' }).click()
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.fill('webp')
  await look('set all')
  await field.press('Enter')
  await page.getByText('Not possible for 1: long.stub.').waitFor()
  await choose(page, 'notes.md', 'html')
  await openOptions(page, 'sun.png')
  await page.getByText('More options').click()
  await page.getByLabel('Max. width').fill('40')
  await setSleep(page, 'long.stub', 300_000)
  await look('options')
  await page.getByRole('button', { name: 'Convert 5 files' }).click()
  await page.getByText('4 of 5 done').first().waitFor()
  await untilStage(page, 'long.stub', 'processing')
  await row(page, 'long.stub').getByRole('progressbar').waitFor()
  await page.waitForFunction(() => /^\d+% · /.test(document.title))
  await look('progress')
  await deleted(t, page, '/conversions/', 'Cancel long.stub')
  await untilStage(page, 'long.stub', 'ready')
  await deleted(t, page, '/files/', 'Remove long.stub')
  // In a very narrow window, the main action takes its place.
  await page.getByText('4 of 4 done').first().waitFor({ state: 'attached' })
  await look('done')
}

/** Compares one result, saves it, and saves all as one ZIP. */
async function saveThem(t: Test, page: Page, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Compare sun.png' }).click()
  const stack = page.locator('.frame.divided')
  await stack.waitFor()
  await page.getByRole('slider', { name: 'Divider between before and after' }).press('Home')
  t.equal(await stack.evaluate((one) => (one as HTMLElement).style.getPropertyValue('--at')), '0%')
  await look('comparison')
  const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click()
  const one = await savedBy(page, press('Download sun.png → WEBP'))
  t.equal(one.name, 'sun.webp')
  t.match(await sharp(one.content).metadata(), { format: 'webp', width: 40 })
  const all = await savedBy(page, press('Download all'))
  const names = ['holiday/day 1/notes.html', 'holiday/day 2/rose.webp', 'sea.webp', 'sun.webp']
  t.strictSame(await namesIn(all.content), names)
}

/** By paste, by link, and one that is too large for one request. */
async function addOtherwise(t: Test, page: Page, origin: Origin, look: Look): Promise<void> {
  const parts: string[] = []
  page.on('request', (request) => void (request.url().includes('/uploads/tus') && parts.push(request.method())))
  await paste(page, await picture('image.png'))
  await paste(page, ` ${origin.base}/a%20far.png?x=1 \n`)
  await untilStage(page, 'a far.png', 'ready')
  await page.locator('.row[data-stage=ready]').nth(1).waitFor()
  const names = await page.locator('.row[data-stage=ready] .row-name').allInnerTexts()
  t.ok(
    names.some((name) => /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/.test(name)),
    'what is pasted is named by the date',
  )
  const buffer = Buffer.concat([Buffer.from('STUB\n'), Buffer.alloc(21_000_000, '.')])
  await give(page, { name: 'large.stub', mimeType: 'text/plain', buffer })
  await untilStage(page, 'large.stub', 'ready')
  t.strictSame(parts, ['POST', 'PATCH'], 'the large one in parts, the others not')
  await look('added otherwise')
  await deleted(t, page, '/files/', 'Remove large.stub')
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await page.getByText('6 of 6 done').first().waitFor({ state: 'attached' })
}

/** After a reload: converts an earlier source again, deletes a result, and then everything. */
async function useHistory(t: Test, page: Page, look: Look): Promise<void> {
  const earlier = page.getByRole('region', { name: 'Earlier conversions' }).locator('.row')
  await page.reload()
  await earlier.nth(5).waitFor()
  t.equal(await earlier.count(), 6)
  await look('history')
  await page.getByRole('button', { name: 'Convert sun.webp again' }).click()
  await untilStage(page, 'sun.png', 'ready')
  await choose(page, 'sun.png', 'jpg')
  const again = await savedBy(page, () => page.getByRole('button', { name: 'Convert', exact: true }).click())
  t.equal(again.name, 'sun.jpg')
  t.match(await sharp(again.content).metadata(), { format: 'jpeg', width: 120 })
  await look('again')
  await page.getByRole('button', { name: 'Delete sea.webp' }).click()
  await look('delete one')
  const question = page.getByRole('dialog', { name: 'Delete sea.webp' })
  await deleted(t, page, '/conversions/', 'Delete sea.webp', question)
  await page.reload()
  await page.getByRole('button', { name: 'Delete sun.jpg' }).waitFor()
  t.equal(await earlier.count(), 6)
  t.equal(await page.getByRole('button', { name: 'Delete sea.webp' }).count(), 0)
  await page.getByRole('button', { name: 'Delete all my files' }).click()
  const last = page.getByRole('dialog', { name: 'Delete all my files' })
  await last.waitFor()
  await look('delete all')
  await last.getByRole('button').last().click()
  await page.getByText('All your files are deleted.').waitFor()
  t.equal(await earlier.count(), 0)
  await look('empty')
}

/** Presses a button after which the service deletes something, and waits for its answer. */
async function deleted(
  t: Test,
  page: Page,
  path: string,
  button: string,
  within: Page | Locator = page,
): Promise<void> {
  const [answer] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'DELETE' && answer.url().includes(path)),
    within.getByRole('button', { name: button }).click(),
  ])
  t.equal(answer.status(), 204, button)
}
