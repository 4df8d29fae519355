/** A dropped ZIP archive: the page asks once whether to convert it or what is in it, and opens no bombs. */
import { execa } from 'execa'
import t from 'tap'
import { lookInto, open as openArchive, refusalOf } from '../../page/archive/archive.ts'
import { MOST } from '../../page/archive/directory.ts'
import { give, picture, row, setUp, untilStage, violations } from '../harness/browser.ts'
import { zipOf } from './archives.ts'

const { open } = await setUp(t)
const ZIP = 'application/zip'
const { buffer: sun } = await picture('sun.png')
const HOLIDAY = zipOf([
  { path: 'day 1/' },
  { path: 'day 1/sun.png', content: sun },
  { path: 'day 2/süd/notes.md', content: Buffer.from('# Sea\n') },
  { path: '__MACOSX/day 1/._sun.png', content: Buffer.from('x') },
])

t.test('what is in it: its files, with their folders, come in its place', async (t) => {
  const page = await open()
  await give(page, { name: 'holiday.zip', mimeType: ZIP, buffer: HOLIDAY })
  const question = page.getByRole('group', { name: 'What of holiday.zip do you want to convert?' })
  await question.getByText('2 files in it').waitFor()
  t.strictSame(await violations(page), [])
  const uploaded: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && uploaded.push(request.url())))
  t.equal(await page.getByRole('dialog').count(), 0)
  await question.getByRole('button', { name: 'What is in it' }).click()
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
  await page.getByRole('button', { name: 'The archive', exact: true }).click()
  await untilStage(page, 'holiday.zip', 'ready')
  t.match(await row(page, 'holiday.zip').locator('.row-kind').innerText(), /ZIP archive/)
  t.equal(await page.locator('.question').count(), 0, 'asked once')
})

t.test('an archive that cannot be opened says why, and can still be converted', async (t) => {
  const page = await open()
  const locked = zipOf([{ path: 'a.png', content: sun, flags: 1 }])
  await give(page, { name: 'secret.zip', mimeType: ZIP, buffer: locked })
  await page.getByText('This archive has a password.').waitFor()
  t.equal(await page.getByRole('button', { name: 'What is in it' }).count(), 0)
  await page.getByRole('button', { name: 'Convert the archive' }).click()
  await page.locator('.row:not([data-stage=asked])').waitFor()
})

const fileOf = (bytes: Uint8Array<ArrayBuffer>, name = 'a.zip') => new File([bytes], name)

t.test(
  'archives that are damaged, locked, empty, too large or bombs are refused before anything is unpacked',
  async (t) => {
    const content = Buffer.from('content')
    const many = Array.from({ length: MOST.files + 1 }, (_, at) => ({ path: `${at}.txt`, content }))
    const cases = {
      damaged: HOLIDAY.subarray(0, -30),
      locked: zipOf([{ path: 'a', content, flags: 1 }]),
      empty: zipOf([{ path: 'folder/' }]),
      large: zipOf(many),
      unknown: zipOf([{ path: 'a', content, method: 14 }]),
    }
    for (const [refusal, bytes] of Object.entries(cases))
      t.strictSame(await lookInto(fileOf(bytes)), { refusal }, refusal)
    const grown = zipOf([{ path: 'a', content: Buffer.alloc(60_000_000) }])
    t.strictSame(await lookInto(fileOf(grown)), { refusal: 'bomb' }, 'grows to 1000 times its size')
    const shared = zipOf([
      { path: 'a', content: sun },
      { path: 'b', content: sun, offset: 0 },
    ])
    t.strictSame(await lookInto(fileOf(shared)), { refusal: 'bomb' }, 'members share their bytes')
    const cut = Buffer.from(HOLIDAY)
    cut.writeUInt32LE(cut.length, cut.length - 10)
    t.strictSame(await lookInto(fileOf(cut)), { refusal: 'damaged' }, 'the table of contents is outside')
  },
)

t.test('a member that is larger than it claims is not unpacked further', async (t) => {
  const bomb = zipOf([{ path: 'a', content: Buffer.alloc(5_000_000), size: 10 }])
  const error = await openArchive(fileOf(bomb), new AbortController().signal).then(
    () => undefined,
    (error) => error,
  )
  t.equal(refusalOf(error), 'bomb')
})

t.test('names: no way out of the folder, other character sets, one folder only', async (t) => {
  const content = Buffer.from('x')
  const paths = async (zip: Uint8Array<ArrayBuffer>) =>
    (await openArchive(fileOf(zip), new AbortController().signal)).map(
      ({ file, folder }) => `${folder ?? ''}/${file.name}`,
    )
  t.strictSame(await paths(zipOf([{ path: '../../etc/a', content }])), ['etc/a'])
  t.strictSame(await paths(zipOf([{ path: 'C:\\x\\b', content }])), ['x/b'])
  t.strictSame(await paths(zipOf([{ path: 'c', content }])), ['a/c'])
  t.strictSame(await paths(zipOf([{ path: Buffer.from('f\xfcr', 'latin1'), content }])), ['a/für'])
})

t.test('an archive that Python made', async (t) => {
  const script = `import sys, zipfile
with zipfile.ZipFile(sys.stdout.buffer, 'w') as z:
  z.writestr('stored.txt', 'as it is')
  z.writestr('größe/deflated.txt', 'again ' * 1000, zipfile.ZIP_DEFLATED)`
  const { stdout } = await execa('python3', ['-c', script], { encoding: 'buffer' })
  const files = await openArchive(fileOf(Buffer.from(stdout)), new AbortController().signal)
  t.strictSame(
    await Promise.all(files.map(async ({ file, folder }) => [folder, file.name, (await file.text()).length])),
    [
      ['a', 'stored.txt', 8],
      ['a/größe', 'deflated.txt', 6000],
    ],
  )
})
