/**
 * Gives the drawing of a page the exact size that the page tells: `sized.ts PAGE INPUT OUTPUT`. The paper is larger,
 * and browsers round it. The page is from `browsed.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

const [page, input, output] = process.argv.slice(2) as [string, string, string]
const size = /html\{zoom:(\d+)\}.*\*\{display:block;width:([\d.]+)px;height:([\d.]+)px/.exec(readFileSync(page, 'utf8'))
if (!size) refuse('The drawing tells no size')
/** CSS pixels in points. */
const [width = 0, height = 0] = [size[2], size[3]].map((pixels) => Number(pixels) * 0.75)
const times = Number(size[1])
const drawn = readFileSync(input, 'utf8')
const root = /<svg\b[^>]*>/.exec(drawn)?.[0] ?? ''
const sized = root
  .replace(/\swidth="[^"]*"/, ` width="${width}pt"`)
  .replace(/\sheight="[^"]*"/, ` height="${height}pt"`)
  .replace(/\sviewBox="[^"]*"/, ` viewBox="0 0 ${width * times} ${height * times}"`)
writeFileSync(
  output,
  drawn.replace(root, () => sized),
)
