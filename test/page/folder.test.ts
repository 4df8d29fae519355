/** A folder of files becomes one ZIP of results. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { picture, row, setUp, untilStage } from './household.ts'

const { open, service } = await setUp(t, {
  plans: { guest: { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, filesPerBatch: null } },
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
  const asked = () => service.log().split('"msg":"request"').length
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

t.test('a file that is started alone later comes beside the ZIP; one that is removed is not in it', async (t) => {
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
  const saved: string[] = []
  const contents: string[] = []
  page.on('download', async (download) => {
    saved.push(download.suggestedFilename())
    if (saved.at(-1)!.endsWith('.zip')) contents.push(...(await namesIn(await download.path())))
  })
  await page.getByRole('button', { name: 'Download all' }).click()
  for (let tries = 0; (saved.length < 2 || !contents.length) && tries < 100; tries++) await page.waitForTimeout(100)
  t.match(saved.sort(), [/^converted-.*\.zip$/, 'late.jpg'])
  t.strictSame(contents.sort(), ['one.jpg', 'two.jpg'])
})
