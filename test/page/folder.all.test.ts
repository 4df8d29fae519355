/**
 * Many files at once: a folder becomes one ZIP of results, and a dropped ZIP archive is opened if the user wants that.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import english from '../../page/texts/en.json' with { type: 'json' }
import {
  choose,
  give,
  picture,
  rememberTargets,
  row,
  setUp,
  startSlow,
  untilStage,
  violations,
} from '../harness/browser.ts'
import { folderOf } from '../harness/folder.ts'
import { until } from '../harness/until.ts'
import { HOLIDAY, namesIn, zipOf } from './archives.ts'

const { open: openNew, service } = await setUp(t, {
  plans: { guest: { pendingJobs: null, conversionsPerDay: null, bytesPerDay: null, filesPerBatch: null } },
})

/** Opens the page of a person who makes JPGs of PNGs. */
async function open(...given: Parameters<typeof openNew>) {
  const page = await openNew(...given)
  await rememberTargets(page, { png: 'jpg' })
  return page
}

/** Counts the requests in the log of the service whose line has a pattern. */
const requests = (pattern: RegExp) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"') && pattern.test(line)).length

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
  // The log has a stream of events when it ends, which may be at any time.
  const asked = () => requests(/"route":"\/api\/(?!events)/)
  t.equal(await page.getByRole('button', { name: 'Download all' }).count(), 0, 'nothing to download yet')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await page.getByText('3 of 3 done').waitFor()
  const before = asked()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all' }).click(),
  ])
  t.match(saved.suggestedFilename(), /^converted-\d{4}-\d\d-\d\d\.zip$/)
  const names = await namesIn(await saved.path())
  t.strictSame(names, ['holiday/a.jpg', 'holiday/day 1/a.jpg', 'holiday/day 1/notes.html'])
  t.ok(asked() - before <= 2, 'the link and the ZIP')
})

t.test('a file that is started alone later is in the same ZIP; one that is removed is not', async (t) => {
  const page = await open()
  const files = [await picture('one.png'), await picture('two.png'), await picture('unwanted.png')]
  await page.setInputFiles('.files-input', files)
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await page.getByText('3 of 3 done').waitFor()
  await page.getByRole('button', { name: 'Remove unwanted.png' }).click()
  await page.setInputFiles('.files-input', await picture('late.png'))
  await untilStage(page, 'late.png', 'ready')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'late.png', 'done')
  t.equal(await row(page, 'unwanted.png').count(), 0)
  const saved = await savedBy(page, () => page.getByRole('button', { name: 'Download all' }).click())
  t.strictSame(saved.names, ['late.jpg', 'one.jpg', 'two.jpg'])
})

/** Sets that several results are saved automatically. */
async function saveAll(page: Page) {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save several results automatically').check()
  await page.keyboard.press('Escape')
}

t.test('several results are saved as one ZIP by themselves, if the user wants that', async (t) => {
  const page = await open()
  await saveAll(page)
  await page.setInputFiles('.files-input', [await picture('a.png'), await picture('b.png')])
  const { names, files } = await savedBy(page, () => page.getByRole('button', { name: 'Convert 2 files' }).click())
  t.strictSame(names, ['a.jpg', 'b.jpg'])
  t.equal(files, 1)
})

t.test('also when the last file that was busy is cancelled; what was saved is not saved again', async (t) => {
  const page = await open()
  await saveAll(page)
  await startSlow(page, 'slow.stub', 60_000)
  await give(page, await picture('a.png'), await picture('b.png'))
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await page.getByText('2 of 3 done').waitFor()
  const first = await savedBy(page, () => page.getByRole('button', { name: 'Cancel slow.stub' }).click())
  t.strictSame(first.names, ['a.jpg', 'b.jpg'])
  await page.getByRole('button', { name: 'Remove slow.stub' }).click()
  await give(page, await picture('c.png'), await picture('d.png'))
  const second = await savedBy(page, () => page.getByRole('button', { name: 'Convert 2 files' }).click())
  t.strictSame(second.names, ['c.jpg', 'd.jpg'])
  const all = await savedBy(page, () => page.getByRole('button', { name: 'Download all' }).click())
  t.strictSame(all.names, ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
})

t.test('results that are gone are told beside their files, and the others are saved', async (t) => {
  const page = await open()
  await page.setInputFiles('.files-input', [await picture('a.png'), await picture('b.png'), await picture('c.png')])
  // In one batch.
  for (const name of ['a.png', 'b.png', 'c.png']) await untilStage(page, name, 'ready')
  const [started] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/conversions/batch')),
    page.getByRole('button', { name: 'Convert 3 files' }).click(),
  ])
  await page.getByText('3 of 3 done').waitFor()
  const { conversions } = await started.json()
  const headers = { 'x-guest-fingerprint': (await started.request().allHeaders())['x-guest-fingerprint']! }
  const forget = (at: number) =>
    fetch(`${service.base}/api/conversions/${conversions[at].conversionId}`, { method: 'DELETE', headers })
  await forget(0)
  const all = page.getByRole('button', { name: 'Download all' })
  const { names } = await savedBy(page, () => all.click())
  t.strictSame(names, ['b.jpg', 'c.jpg'])
  await row(page, 'a.png').locator('.problem').getByText('no longer at the service').waitFor()
  await forget(1)
  await forget(2)
  await all.click()
  await row(page, 'c.png').locator('.problem').getByText('no longer at the service').waitFor()

  await page.setInputFiles('.files-input', await picture('d.png'))
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'd.png', 'done')
  await page.route('**/api/conversions/zip', (route) => route.fulfill({ status: 500, body: '{}' }))
  await all.click()
  await page.locator('.notice').getByText('Something went wrong').waitFor()
  t.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)

  await page.getByRole('button', { name: 'Convert a.png again' }).click()
  await row(page, 'a.png').locator('.problem').waitFor({ state: 'detached' })
})

t.test('a part of the page that cannot be loaded is told', async () => {
  const page = await open()
  await page.route(/download-all-\w+\.js/, (route) => route.abort())
  await give(page, await picture('a.png'), await picture('b.png'))
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await page.getByRole('button', { name: 'Download all' }).click()
  await page.locator('.notice').getByText(english['lazy.failed']).waitFor()
})

/** Does something after which one ZIP is saved, and returns its names and how many files were asked for. */
async function savedBy(page: Page, act: () => Promise<void>) {
  const asked = () => requests(/"route":"[^"]*\/download"/)
  const before = asked()
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const names = await namesIn(await download.path())
  // The log has a request when its answer has ended, which may be after the browser has the file.
  await until(() => asked() > before)
  return { names, files: asked() - before }
}

const ZIP = 'application/zip'

t.test('what is in it: its files, with their folders, come in its place', async (t) => {
  const page = await open()
  await give(page, { name: 'holiday.zip', mimeType: ZIP, buffer: HOLIDAY })
  const question = page.getByRole('group', { name: 'What of holiday.zip do you want to convert?' })
  await question.getByText(/2 files inside/).waitFor()
  t.strictSame(await violations(page), [])
  const uploaded: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && uploaded.push(request.url())))
  t.equal(await page.getByRole('dialog').count(), 0)
  await question.getByRole('button', { name: /files inside/ }).click()
  for (const name of ['sun.png', 'notes.md']) await untilStage(page, name, 'ready')
  t.equal(uploaded.length, 2, 'the archive is not uploaded')
  t.strictSame(await page.locator('.row-name').allInnerTexts(), ['holiday/day 1/sun.png', 'holiday/day 2/süd/notes.md'])
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await untilStage(page, 'sun.png', 'done')
})

t.test('the archive itself', async (t) => {
  const page = await open()
  await give(page, { name: 'holiday.zip', mimeType: ZIP, buffer: HOLIDAY }, await picture('other.png'))
  await untilStage(page, 'other.png', 'ready')
  await page.getByRole('button', { name: 'Convert the ZIP itself', exact: true }).click()
  await untilStage(page, 'holiday.zip', 'ready')
  t.match(await row(page, 'holiday.zip').locator('.row-kind').innerText(), /ZIP archive/)
  t.equal(await page.locator('.question').count(), 0, 'asked once')
})

t.test('an archive that cannot be opened says why, and can still be converted', async (t) => {
  const page = await open()
  const locked = zipOf([{ path: 'a.png', content: Buffer.from('x'), flags: 1 }])
  await give(page, { name: 'secret.zip', mimeType: ZIP, buffer: locked })
  await page.getByText('This archive has a password.').waitFor()
  t.equal(await page.getByRole('button', { name: /inside/ }).count(), 0)
  await page.getByRole('button', { name: 'Convert the ZIP itself' }).click()
  await page.locator('.row:not([data-stage=asked])').waitFor()
})
