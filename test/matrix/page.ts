import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { recall, said } from '../fixtures/story.ts'
import { withFolder } from '../harness/folder.ts'
import { decode } from './decode.ts'
import type { Pixels } from './pixels.ts'
import { Unlike } from './verdict.ts'

/** Share of the words that must be legible on the pages. OCR makes errors. */
const LEGIBLE = 0.9

/** Minimum pixels per side of pages at 150 dpi: half a postcard. */
const LEAST_SIDE = 400

/**
 * Compares pictures of pages with their document: OCR reads the words (tesseract(1)).
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export function verifyPages(path: string, to: string, source: Sample): Promise<void> {
  return withFolder(async (folder) => legible(await pagesOf(path, to, folder), source))
}

/** Compares the legible words of pages with those of the document. Throws as `verifyPages` does. */
export async function legible(pages: readonly Pixels[], source: Sample): Promise<void> {
  if (source.content === 'slides' && pages.length !== source.pages)
    throw new Unlike(`${pages.length} pages instead of ${source.pages}`)
  const text: string[] = []
  for (const page of pages) {
    if (Math.min(page.width, page.height) < LEAST_SIDE) throw new Unlike(`a page of ${page.width} × ${page.height}`)
    text.push(await read(page, 4))
  }
  const kind = source.content as keyof typeof said
  const latin = new Set([...said[kind]].filter((word) => /^[a-z]{4,}$/.test(word)))
  const share = recall(text.join('\n'), latin)
  if (share < LEGIBLE) throw new Unlike(`only ${Math.round(share * 100)} % of the words are legible`)
}

/** Returns the pixels of each page: members of a zip in order, directories of a TIFF. */
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

/**
 * Reads the English words of a page at 150 dpi by its look (tesseract(1)).
 *
 * @param layout 4: one column of lines; 11: words anywhere.
 */
export const read = ({ width, height, data }: Pixels, layout: 4 | 11): Promise<string> =>
  withFolder(async (folder) => {
    const page = join(folder, 'page.png')
    const picture = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' })
    // At twice the size, because tesseract was trained with 300 dpi. It must know, or lines of a table disturb it.
    await picture
      .greyscale()
      .resize(width * 2)
      .png({ compressionLevel: 1 })
      .toFile(page)
    return (await program('tesseract', page, '-', '--dpi', '300', '-l', 'eng', '--psm', layout)).toString()
  })
