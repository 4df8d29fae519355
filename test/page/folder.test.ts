/** A folder of files becomes one ZIP of results. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import t from 'tap'
import { picture, row, setUp, untilStage } from './household.ts'

const { open, service } = await setUp(t, {
  plans: {
    guest: {
      pendingJobs: null,
      heavyConcurrency: null,
      conversionsPerDay: null,
      bytesPerDay: null,
      filesPerBatch: null,
    },
  },
})

/** The names in a ZIP, as Python reads it. */
async function namesIn(path: string): Promise<string[]> {
  const script =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), sep="\\n")'
  return (await execa('python3', ['-c', script, path])).stdout.split('\n')
}

t.test('the results of a folder, of several targets, come as one ZIP with its folders', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'athanor-folder-'))
  t.teardown(() => rm(root, { recursive: true }))
  const { buffer } = await picture('a.png')
  const files = { 'holiday/a.png': buffer, 'holiday/day 1/a.png': buffer, 'holiday/day 1/notes.md': '# Sun\n' }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const page = await open()
  await page.setInputFiles('.folder-input', join(root, 'holiday'))
  await page.getByRole('button', { name: 'Convert 3 files' }).waitFor()
  const target = page.getByRole('combobox', { name: 'Convert notes.md to' })
  await target.click()
  await target.fill('html')
  await target.press('Enter')
  const asked = () =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"') && line.includes('/api/')).length
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
  t.strictSame(names.sort(), ['holiday/a.jpg', 'holiday/day 1/a.jpg', 'holiday/day 1/notes.html'])
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
  t.strictSame(saved.names.sort(), ['late.jpg', 'one.jpg', 'two.jpg'])
})

t.test('files that start by themselves come as one ZIP, with their folder', async (t) => {
  const page = await open()
  const root = await mkdtemp(join(tmpdir(), 'athanor-folder-'))
  t.teardown(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'trip'))
  for (const name of ['a.png', 'b.png', 'c.png'])
    await writeFile(join(root, 'trip', name), (await picture(name)).buffer)
  await page.evaluate(() =>
    localStorage.setItem('athanor.settings', JSON.stringify({ startByItself: true, targets: { png: 'webp' } })),
  )
  await page.reload()
  await page.locator('.drop-button').waitFor()
  await page.setInputFiles('.folder-input', join(root, 'trip'))
  await page.getByText('3 of 3 done').waitFor()
  const { names, files } = await savedBy(page, () => page.getByRole('button', { name: 'Download all' }).click())
  t.strictSame(names.sort(), ['trip/a.webp', 'trip/b.webp', 'trip/c.webp'])
  t.equal(files, 1)
})

t.test('several results are saved as one ZIP by themselves, if the user wants that', async (t) => {
  const page = await open()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save several results automatically').check()
  await page.keyboard.press('Escape')
  await page.setInputFiles('.files-input', [await picture('a.png'), await picture('b.png')])
  const { names, files } = await savedBy(page, () => page.getByRole('button', { name: 'Convert 2 files' }).click())
  t.strictSame(names.sort(), ['a.jpg', 'b.jpg'])
  t.equal(files, 1)
})

t.test('results that are gone are told beside their files, and the others are saved', async (t) => {
  const page = await open()
  await page.setInputFiles('.files-input', [await picture('a.png'), await picture('b.png'), await picture('c.png')])
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
  t.strictSame(names.sort(), ['b.jpg', 'c.jpg'])
  await row(page, 'a.png').locator('.problem').getByText('has expired or was removed').waitFor()
  await forget(1)
  await forget(2)
  await all.click()
  await row(page, 'c.png').locator('.problem').getByText('has expired or was removed').waitFor()

  await page.setInputFiles('.files-input', await picture('d.png'))
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'd.png', 'done')
  await page.route('**/api/conversions/zip', (route) => route.fulfill({ status: 500, body: '{}' }))
  await all.click()
  await page.locator('.notice').getByText('The service answered with 500').waitFor()
  t.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
})

/** Does something after which one ZIP is saved, and returns its names and how many files were saved. */
async function savedBy(page: Page, act: () => Promise<void>) {
  const saved: string[] = []
  page.on('download', (download) => saved.push(download.suggestedFilename()))
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const names = await namesIn(await download.path())
  return { names, files: saved.length }
}
