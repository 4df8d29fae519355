/** What the page reads from a ZIP archive: names and contents, and no bombs. */
import { execa } from 'execa'
import t from 'tap'
import { lookInto, open as openArchive, refusalOf } from '../../page/archive/archive.ts'
import { MAX } from '../../page/archive/directory.ts'
import { HOLIDAY, zipOf } from './archives.ts'

const fileOf = (bytes: Uint8Array<ArrayBuffer>, name = 'a.zip') => new File([bytes], name)

t.test(
  'archives that are damaged, locked, empty, too large or bombs are refused before anything is unpacked',
  async (t) => {
    const content = Buffer.from('content')
    const many = Array.from({ length: MAX.files + 1 }, (_, at) => ({ path: `${at}.txt`, content }))
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
      { path: 'a', content },
      { path: 'b', content, offset: 0 },
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
