/** Makes an icon from one image: `write.ts ico|cur|icns INPUT OUTPUT`. */
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Entry } from './entry.ts'
import { icns, icnsSizes } from './icns.ts'
import { ico, icoSizes } from './ico.ts'

const [kind, input, output] = process.argv.slice(2) as ['ico' | 'cur' | 'icns', string, string]
const picture = sharp(input).toColourspace('srgb').ensureAlpha()
const { width, height } = await sharp(input).metadata()
const side = Math.max(width, height)

const entries: Entry[] = []
for (const size of kind === 'icns' ? icnsSizes(side) : icoSizes(side)) {
  const square = picture.clone().resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
  entries.push({
    size,
    png: await square.clone().png().toBuffer(),
    rgba: await square.raw({ depth: 'uchar' }).toBuffer(),
  })
}
writeFileSync(output, kind === 'icns' ? icns(entries) : ico(entries, kind))
