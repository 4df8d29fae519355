/**
 * Makes one HTML file, with embedded images, from the output of `pdftohtml -xml`: `write.ts INPUT OUTPUT`. Prints the
 * numbers of empty pages. If `page-N.png` is beside the input, it replaces the empty page N.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { page } from '../text/markup.ts'
import { blocksOf, bodySize } from './blocks.ts'
import { readPages } from './pieces.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const folder = dirname(input)
const types: Readonly<Record<string, string>> = { '.png': 'image/png', '.jpg': 'image/jpeg' }

/** An image beside the input as a `data:` URL. Empty if there is none. */
function inlined(path: string): string {
  const type = types[extname(path)]
  try {
    return type ? `data:${type};base64,${readFileSync(join(folder, basename(path))).toString('base64')}` : ''
  } catch {
    return ''
  }
}

/** Whether an image exists and has more than one colour. */
async function shows(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const { default: sharp } = await import('sharp')
  const { channels } = await sharp(path).stats()
  return channels.some(({ min, max }) => min !== max)
}

const pages = readPages(readFileSync(input, 'utf8'))
const body = bodySize(pages)
const blocks: string[] = []
const empty: number[] = []
for (const [index, one] of pages.entries()) {
  const pictures = one.pictures.map((picture) => ({ ...picture, src: inlined(picture.src) })).filter(({ src }) => src)
  const drawn = `page-${index + 1}.png`
  if (one.pieces.length || pictures.length) blocks.push(...blocksOf({ ...one, pictures }, body))
  else if (await shows(join(folder, drawn))) blocks.push(`<p><img src="${inlined(drawn)}" alt=""></p>`)
  else empty.push(index + 1)
}
console.log(empty.join(' '))
const html = blocks.join('\n').replaceAll('</ul>\n<ul>', '\n')
writeFileSync(output, page(html))
