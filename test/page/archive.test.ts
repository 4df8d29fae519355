/** What the page reads from a ZIP archive: names and contents, and no bombs. */
import { execa } from 'execa'
import t from 'tap'
import { lookInto, open as openArchive, refusalOf } from '../../page/archive/archive.ts'
import { MAX } from '../../page/archive/directory.ts'
import { HOLIDAY, zipOf } from './archives.ts'

const fileOf = (bytes: Uint8Array<ArrayBuffer>, name = 'a.zip') => new File([bytes], name)
const opened = (bytes: Uint8Array<ArrayBuffer>) => openArchive(fileOf(bytes), new AbortController().signal)

t.test('archives that cannot be read, or are bombs, are refused before anything is unpacked', async (t) => {
  const content = 'content'
  const unknown = zipOf({ name: 'a', content })
  unknown.writeUInt16LE(14, unknown.indexOf('PK\x01\x02') + 10)
  const outside = Buffer.from(HOLIDAY)
  outside.writeUInt32LE(outside.length, outside.length - 10)
  for (const [what, refusal, bytes] of [
    ['the end is missing', 'damaged', HOLIDAY.subarray(0, -30)],
    ['the table of contents is outside', 'damaged', outside],
    ['a password', 'locked', zipOf({ name: 'a', content, flags: 1 })],
    ['a folder only', 'empty', zipOf({ name: 'folder/' })],
    [
      'many files',
      'large',
      zipOf(...Array.from({ length: MAX.files + 1 }, (_, at) => ({ name: `${at}.txt`, content }))),
    ],
    ['an unknown method', 'unknown', unknown],
    ['it grows to 1000 times its size', 'bomb', zipOf({ name: 'a', content: Buffer.alloc(60_000_000) })],
    ['members share their bytes', 'bomb', zipOf({ name: 'a', content }, { name: 'b', content, place: 0 })],
  ] as const)
    t.strictSame(await lookInto(fileOf(bytes)), { refusal }, what)
  const larger = zipOf({ name: 'a', content: Buffer.alloc(5_000_000), size: 10 })
  t.equal(await opened(larger).then(() => 'opened', refusalOf), 'bomb', 'a member is larger than it claims')
})

t.test('names: no way out of the folder, other character sets, one folder only', async (t) => {
  const latin = Buffer.from(zipOf({ name: 'fXr' }).toString('latin1').replaceAll('fXr', 'f\xfcr'), 'latin1')
  for (const [bytes, path] of [
    [zipOf({ name: '../../etc/a', content: 'x' }), 'etc/a'],
    [zipOf({ name: 'C:\\x\\b', content: 'x' }), 'x/b'],
    [zipOf({ name: 'c', content: 'x' }), 'a/c'],
    [latin, 'a/für'],
  ] as const) {
    const [one] = await opened(bytes)
    t.equal(`${one!.folder ?? ''}/${one!.file.name}`, path)
  }
})

t.test('an archive that Python made', async (t) => {
  const script = `import sys, zipfile
with zipfile.ZipFile(sys.stdout.buffer, 'w') as z:
  z.writestr('stored.txt', 'as it is')
  z.writestr('größe/deflated.txt', 'again ' * 1000, zipfile.ZIP_DEFLATED)`
  const { stdout } = await execa('python3', ['-c', script], { encoding: 'buffer' })
  const files = await opened(Buffer.from(stdout))
  const seen = files.map(async ({ file, folder }) => [folder, file.name, (await file.text()).length])
  t.strictSame(await Promise.all(seen), [
    ['a', 'stored.txt', 8],
    ['a/größe', 'deflated.txt', 6000],
  ])
})
