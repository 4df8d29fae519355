/** Comics in archives of every kind: the order of their pages, and what is no page. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { grow, type Item } from '../../fixtures/archive/tree.ts'
import { stored } from '../../fixtures/files.ts'
import { program } from '../../fixtures/program.ts'
import { zipped } from '../../fixtures/zip.ts'
import { withFolder } from '../../harness/folder.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

const own = await bare(t, ['ebook', 'document'])
const { code, made } = reader(own)

/** A page of one shade of red. */
const page = (red: number, width = 60) =>
  sharp({ create: { width, height: 90, channels: 3, background: { r: red, g: 0, b: 0 } } })
const file = (content: Buffer | string): Item => ({ type: 'file', content: Buffer.from(content), mode: 0o644 })

const shades = [20, 60, 100, 140, 180, 220]
const [one, two, three, four, five, six] = await Promise.all(
  shades.map((red, index) =>
    page(red, index === 2 ? 120 : 60)
      .png()
      .toBuffer(),
  ),
)

/** Six pages in two chapters, the third a double one, among files that are no pages. */
const tree: Record<string, Item> = {
  'Vol 10/p1.png': file(six!),
  'Vol 2/page10.png': file(five!),
  'Vol 2/page9.png': file(four!),
  'Vol 2/Page2-3.png': file(three!),
  'Vol 2/page1.png': file(two!),
  'Vol 2/page01 cover.png': file(one!),
  'ComicInfo.xml': file('<ComicInfo/>'),
  'Thumbs.db': file('x'),
  '__MACOSX/Vol 2/._page1.png': file('x'),
  'Vol 2/.hidden.png': file('x'),
  'readme.txt': file('scanned'),
}

/** The red of the first pixel, and the width, of each page of a zip, in the order of its names. */
const reds = async (comic: Buffer) =>
  Promise.all(
    (await readMembers(comic))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(async ({ content }) => {
        const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
        return `${data[0]} ${info.width}`
      }),
  )

const packed = (...packer: readonly [string, ...string[]]) =>
  withFolder(async (folder) => {
    const root = await grow(join(folder, 'tree'), tree)
    await program('env', '-C', root, ...packer, join(folder, 'comic'), '.')
    return readFile(join(folder, packer[0] === '7zz' ? 'comic.7z' : 'comic'))
  })

t.test('pages are in natural order, and nothing else is a page', async (t) => {
  const wanted = shades.map((red, index) => `${red} ${index === 2 ? 120 : 60}`)
  const kinds = { cb7: await packed('7zz', 'a', '-bd', '-bso0'), cbt: await packed('tar', '-cf') }
  for (const [from, comic] of Object.entries(kinds))
    t.strictSame(await reds((await made(comic, `${from}>cbz`)).bytes), wanted, from)
  for (const name of ['volumes.cbr', 'volumes-4.cbr'])
    t.strictSame(await reds((await made(stored(name), 'cbr>cbz')).bytes), wanted, name)
})

t.test('a comic on paper: a page for each, equally high, with the pixels of the source', async (t) => {
  const { path } = await made(stored('volumes.cbr'), 'cbr>pdf')
  const sizes = String(await program('pdfinfo', '-l', '9', path)).match(/size: .*(?= pts)/g)
  t.strictSame(
    sizes,
    shades.map((_, index) => `size:  ${index === 2 ? 984 : 492} x 738`),
  )
  t.equal(String(await program('pdfimages', '-list', path)).match(/ image .* 60 +90 | image .*120 +90 /g)?.length, 6)
  const pixels = await program('pdftoppm', '-r', '10', '-f', '2', '-l', '2', path)
  t.equal(pixels.at(-3), 60, 'the second page')
})

t.test('comics that cannot be converted', async (t) => {
  // The flag of RAR 4 for files with a password.
  const old = stored('volumes-4.cbr')
  old[old.indexOf(0x74, 20) + 1]! |= 4
  t.equal(await code(old, 'cbr>pdf'), 'ENCRYPTED_INPUT')
  for (const name of ['words', 'climbing', 'linked'])
    t.equal(await code(stored(`${name}.cbr`), 'cbr>cbz'), 'CONVERSION_ERROR', name)
  t.equal(await code(stored('volumes.cbr').subarray(0, -700), 'cbr>cbz'), 'CONVERSION_ERROR', 'cut')
  t.equal(await code(await zipped({ '1.png': one!, '2.png': 'no picture' }), 'cbz>pdf'), 'CONVERSION_ERROR')
})
