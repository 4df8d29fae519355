/** Makes one HTML file out of `pdftohtml -xml`, pictures inside: `write.ts INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { blocksOf, bodySize } from './blocks.ts'
import { readPages } from './pieces.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const folder = dirname(input)
const types: Readonly<Record<string, string>> = { '.png': 'image/png', '.jpg': 'image/jpeg' }

/** A picture beside the input as a data: address; without one, when there is none. */
function inlined(path: string): string {
  const type = types[extname(path)]
  try {
    return type ? `data:${type};base64,${readFileSync(join(folder, basename(path))).toString('base64')}` : ''
  } catch {
    return ''
  }
}

const pages = readPages(readFileSync(input, 'utf8'))
const body = bodySize(pages)
const blocks = pages.flatMap((page) => {
  const pictures = page.pictures.map((picture) => ({ ...picture, src: inlined(picture.src) })).filter(({ src }) => src)
  return blocksOf({ ...page, pictures }, body)
})
const html = blocks.join('\n').replaceAll('</ul>\n<ul>', '\n')
writeFileSync(
  output,
  `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title></title></head><body>\n${html}\n</body></html>\n`,
)
