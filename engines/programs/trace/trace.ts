/** Traces a colour image: `trace.ts DPI INPUT OUTPUT`. */
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { refuse } from '../refusal/refusal.ts'
import { layers } from './layers.ts'
import { outline } from './outline.ts'

/** Most colours of a drawing, unless the image itself has few. */
const COLOURS = 16
const FEW = 64

/** Pixels of the longer side. More would take time and space, with hardly any visible difference. */
const SIDE = 1200

const [density, input, output] = process.argv.slice(2) as [string, string, string]
const source = sharp(input, { pages: 1 })
const { autoOrient } = await source.metadata().catch(() => {
  refuse('The picture is damaged or of an unsupported kind')
})
const [across, down] = [autoOrient.width, autoOrient.height].map((pixels) => (pixels / Number(density)).toFixed(4))

const { data, info } = await source
  .autoOrient()
  .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
  .toColourspace('srgb')
  .ensureAlpha()
  .raw({ depth: 'uchar' })
  .toBuffer({ resolveWithObject: true })
const { width, height } = info
// The quantiser ignores alpha, so put the image on white. Transparent pixels are left out below.
const opaque = await sharp(data, { raw: { width, height, channels: 4 } })
  .flatten({ background: '#fff' })
  .raw()
  .toBuffer()
const colours = isFew(opaque) ? opaque : await quantised(opaque)
for (let at = 0; at < width * height; at++) {
  const seen = data[at * 4 + 3]! >= 128
  data.set(seen ? [...colours.subarray(at * 3, at * 3 + 3), 255] : [0, 0, 0, 0], at * 4)
}

const paths: string[] = []
for (const { colour, bitmap } of layers(data, width, height)) {
  const path = outline(bitmap, width, height)
  if (path) paths.push(`<path fill="${colour}" d="${path}"/>`)
}
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${across}in" height="${down}in" viewBox="0 0 ${width} ${height}">
<g transform="translate(0,${height}) scale(0.1,-0.1)" fill-rule="evenodd">
${paths.join('\n')}
</g>
</svg>
`,
)

function isFew(pixels: Buffer): boolean {
  const seen = new Set<number>()
  for (let at = 0; at < pixels.length && seen.size <= FEW; at += 3) seen.add(pixels.readUIntBE(at, 3))
  return seen.size <= FEW
}

async function quantised(pixels: Buffer): Promise<Buffer> {
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
  const palette = await picture.png({ palette: true, colours: COLOURS, dither: 0 }).toBuffer()
  return sharp(palette).removeAlpha().toColourspace('srgb').raw().toBuffer()
}
