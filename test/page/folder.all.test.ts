/** Many files at once: a folder becomes one ZIP of results, and a ZIP archive is opened if the user wants that. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import { choose, give, picture, rememberTargets, row, savedBy, setUp, untilStage } from '../harness/browser.ts'
import { folderOf } from '../harness/folder.ts'
import { HOLIDAY, namesIn, zipOf } from './archives.ts'

const guest = { pendingJobs: null, conversionsPerDay: null, bytesPerDay: null, filesPerBatch: null }
const { open: openNew, service } = await setUp(t, { plans: { guest } })

/** Opens the page of a person who makes JPGs of PNGs. */
async function open() {
  const page = await openNew()
  await rememberTargets(page, { png: 'jpg' })
  return page
}

/** Opens it with these files, and converts them. */
async function converted(...names: string[]) {
  const page = await open()
  await give(page, ...(await Promise.all(names.map((name) => picture(name)))))
  for (const name of names) await untilStage(page, name, 'ready')
  const [started] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/conversions/batch')),
    page.getByRole('button', { name: `Convert ${names.length} files` }).click(),
  ])
  for (const name of names) await untilStage(page, name, 'done')
  return { page, all: page.getByRole('button', { name: 'Download all' }), started }
}

t.test('the results of a folder, of several targets, come as one ZIP with its folders', async (t) => {
  const root = await folderOf(t)
  const { buffer } = await picture('a.png')
  const files = { 'holiday/a.png': buffer, 'holiday/day 1/a.png': buffer, 'holiday/day 1/notes.md': '# Sun\n' }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const page = await open()
  await page.setInputFiles('.folder-input', join(root, 'holiday'))
  await page.getByRole('button', { name: 'Convert 3 files' }).waitFor()
  await choose(page, 'notes.md', 'html')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await page.getByText('3 of 3 done').waitFor()
  const saved = await savedBy(page, () => page.getByRole('button', { name: 'Download all' }).click())
  t.match(saved.name, /^converted-\d{4}-\d\d-\d\d\.zip$/)
  const names = await namesIn(saved.content)
  t.strictSame(names, ['holiday/a.jpg', 'holiday/day 1/a.jpg', 'holiday/day 1/notes.html'])
})

t.test('results that are gone are told beside their files, and the others are saved', async (t) => {
  const { page, all, started } = await converted('a.png', 'b.png', 'c.png', 'unwanted.png')
  await page.getByRole('button', { name: 'Remove unwanted.png' }).click()
  const [{ conversionId }] = (await started.json()).conversions
  const headers = { 'x-guest-fingerprint': (await started.request().allHeaders())['x-guest-fingerprint']! }
  await fetch(`${service.base}/api/conversions/${conversionId}`, { method: 'DELETE', headers })
  t.strictSame(await namesIn((await savedBy(page, () => all.click())).content), ['b.jpg', 'c.jpg'])
  await row(page, 'a.png').locator('.problem').getByText('no longer at the service').waitFor()
  await page.route('**/api/conversions/zip', (route) => route.fulfill({ status: 500, body: '{}' }))
  await all.click()
  await page.locator('.notice').getByText('Something went wrong').waitFor()
  await page.getByRole('button', { name: 'Convert a.png again' }).click()
  await row(page, 'a.png').locator('.problem').waitFor({ state: 'detached' })
})

t.test('a part of the page that cannot be loaded is told', async () => {
  const { page, all } = await converted('a.png', 'b.png')
  await page.route(/download-all-\w+\.js/, (route) => route.abort())
  await all.click()
  await page.locator('.notice').getByText(english['lazy.failed']).waitFor()
})

t.test('of an archive: its files come in its place, or it is converted itself, also if it is locked', async (t) => {
  const page = await open()
  const uploads: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && uploads.push(request.url())))
  const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })
  await give(page, zip('holiday.zip', HOLIDAY))
  const question = page.getByRole('group', { name: 'What of holiday.zip do you want to convert?' })
  await question.getByRole('button', { name: /2 files inside/ }).click()
  for (const name of ['sun.png', 'notes.md']) await untilStage(page, name, 'ready')
  t.equal(uploads.length, 2, 'the archive is not uploaded')
  t.strictSame(await page.locator('.row-name').allInnerTexts(), ['holiday/day 1/sun.png', 'holiday/day 2/süd/notes.md'])
  await give(page, zip('other.zip', HOLIDAY))
  await page.getByRole('button', { name: 'Convert the ZIP itself', exact: true }).click()
  await untilStage(page, 'other.zip', 'ready')
  await give(page, zip('secret.zip', zipOf({ name: 'a.png', content: 'x', flags: 1 })))
  await page.getByText('This archive has a password.').waitFor()
  t.equal(await page.getByRole('button', { name: /inside/ }).count(), 0)
  await page.getByRole('button', { name: 'Convert the ZIP itself' }).click()
  await page.locator('.row:not([data-stage=asked])', { hasText: 'secret.zip' }).waitFor()
})
