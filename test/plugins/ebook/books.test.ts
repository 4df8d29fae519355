/** A book becomes smaller, and stays the same. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { epub } from '../../fixtures/ebook.ts'
import { zip } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'

const own = await bare(t, ['ebook'])

t.test('a smaller book is the same book', async (t) => {
  const noise = { type: 'gaussian', mean: 90, sigma: 30 } as const
  const create = { width: 64, height: 64, channels: 3, background: '#123456', noise } as const
  const picture = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  const files = { ...(await epub()), 'OEBPS/noise.png': picture }
  const path = `${own.folder}/loose.epub`
  await zip(path, files, Object.keys(files))
  const before = await readFile(path)
  const { bytes: after } = await own.convert(before, 'epub>epub')
  t.ok(after.length < before.length * 0.9, `${before.length} to ${after.length} bytes`)
  t.equal(after.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip', 'its type comes first, not compressed')
  const [one, other] = await Promise.all([before, after].map((book) => readMembers(book)))
  t.strictSame(
    other!.map(({ name }) => name),
    one!.map(({ name }) => name),
  )
  for (const [index, { name, content }] of one!.entries()) {
    const was = content
    const is = other![index]!.content
    if (!/\.(png|jpg)$/.test(name)) t.ok(was.equals(is), name)
    else t.ok((await sharp(was).raw().toBuffer()).equals(await sharp(is).raw().toBuffer()), name)
  }
  t.ok((await own.convert(after, 'epub>epub')).bytes.length <= after.length, 'nor larger the second time')
})
