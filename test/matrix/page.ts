import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { recall, said } from '../fixtures/story.ts'
import { decode, type Pixels } from './decode.ts'
import { withFolder } from './folder.ts'
import { Unlike, type Verdict } from './verdict.ts'

/** Share of the words that have to be legible on the pages: the reader errs, the pages should not. */
const LEGIBLE = 0.9

/** Pages, at 150 dpi, are at least so many pixels a side: the half of a postcard. */
const LEAST_SIDE = 400

/**
 * Holds pictures of pages against the document that they show: a program reads the words off them (tesseract(1)).
 *
 * @throws Unlike what is not as it should be, or as the reader does when it cannot read the file.
 */
export function verifyPages(path: string, to: string, source: Sample): Promise<Verdict> {
  return withFolder(async (folder) => legible(await pagesOf(path, to, folder), source))
}

/** Holds the words that can be read on pages against those of the document. Throws as `verifyPages` does. */
export function legible(pages: readonly Pixels[], source: Sample): Promise<Verdict> {
  return withFolder(async (folder) => {
    if (source.content === 'slides' && pages.length !== source.pages)
      throw new Unlike(`${pages.length} pages instead of ${source.pages}`)
    const text: string[] = []
    for (const page of pages) text.push(await read(page, folder))
    const kind = source.content as keyof typeof said
    const latin = new Set([...said[kind]].filter((word) => /^[a-z]{4,}$/.test(word)))
    const share = recall(text.join('\n'), latin)
    if (share < LEGIBLE) throw new Unlike(`only ${Math.round(share * 100)} % of the words are legible`)
    return { recall: share }
  })
}

/** Each page as pixels: of a zip its members in their order, of a TIFF its directories. */
async function pagesOf(path: string, to: string, folder: string): Promise<Pixels[]> {
  const magic = (await readFile(path)).subarray(0, 4).toString('latin1')
  const pages: Pixels[] = []
  if (magic === 'PK\x03\x04') {
    await program('unzip', '-q', path, '-d', folder)
    const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
    for (const name of names) pages.push(await decode(join(folder, name), to))
  } else if (to === 'tif') {
    const { pages: count = 1 } = await sharp(path).metadata()
    for (let page = 0; page < count; page++) {
      const file = join(folder, `page-${page}.png`)
      await sharp(path, { page }).toFile(file)
      pages.push(await decode(file, 'png'))
    }
  } else pages.push(await decode(path, to))
  return pages
}

async function read({ width, height, data }: Pixels, folder: string): Promise<string> {
  if (Math.min(width, height) < LEAST_SIDE) throw new Unlike(`a page of ${width} × ${height}`)
  const page = join(folder, 'page.png')
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' })
  // Twice as large, since the reader was taught with 300 dpi.
  await writeFile(
    page,
    await picture
      .greyscale()
      .resize(width * 2)
      .png({ compressionLevel: 1 })
      .toBuffer(),
  )
  return (await program('tesseract', page, '-', '-l', 'eng', '--psm', '4')).toString()
}
