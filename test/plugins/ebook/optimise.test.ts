import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { made } from '../../fixtures/cache.ts'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { zip } from '../../fixtures/zip.ts'
import { withFolder } from '../../harness/folder.ts'
import { library, read } from './library.ts'

const books = await library()
t.teardown(() => books[Symbol.asyncDispose]())

/** Returns the names of the members, in order. */
const names = (book: Buffer) =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'book.zip'), book)
    return String(await program('unzip', '-Z1', join(folder, 'book.zip'))).split('\n')
  })

t.test('smaller, and the same book', async (t) => {
  const loose = await made('loose.epub', async (output) => {
    const files = { ...(await epub()), 'OEBPS/noise.png': await noise() }
    await zip(output, files, Object.keys(files))
  })
  const before = await readFile(loose)
  const after = await books.convert(before, 'epub', 'epub')
  t.ok(after.length < before.length * 0.9, `${before.length} to ${after.length} bytes`)
  t.equal(after.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip', 'its type comes first, not compressed')
  const [one, other] = [await read(before, 'epub'), await read(after, 'epub')]
  t.strictSame({ ...other, pictures: [], cover: 0 }, { ...one, pictures: [], cover: 0 })
  for (const [index, picture] of one.pictures.entries()) {
    const [was, is] = await Promise.all([picture, other.pictures[index]!].map((file) => sharp(file).raw().toBuffer()))
    t.ok(was!.equals(is!), 'every pixel is there')
  }
  t.strictSame(await names(after), await names(before), 'every member is in its place')
})

t.test('never larger', async (t) => {
  const once = await books.convert(
    await readFile(await made('small.epub', async (o) => zip(o, await epub()))),
    'epub',
    'epub',
  )
  const twice = await books.convert(once, 'epub', 'epub')
  t.ok(twice.length <= once.length)
})

const noise = () =>
  sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#123456',
      noise: { type: 'gaussian', mean: 90, sigma: 30 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer()
