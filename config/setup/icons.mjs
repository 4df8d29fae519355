import { readFileSync } from 'node:fs'
import { hashed } from './bundle.mjs'

/** Ground of icons that systems cut to a shape of their own. */
const GROUND = '#f3f5f2'

/** Pixels; the share of the width that the mark takes; the purpose in the manifest. */
const ICONS = [
  { side: 192, share: 1, purpose: 'any' },
  { side: 512, share: 1, purpose: 'any' },
  // The outer tenth may be cut away on each side.
  { side: 512, share: 0.6, purpose: 'maskable' },
]

/** The icon of home screens on iOS. */
const TOUCH = { side: 180, share: 0.7, purpose: 'touch' }

/** Draws the mark as PNG. Returns the icons for the manifest, and the name of the one for iOS. */
export async function drawIcons(mark, folder) {
  const { default: sharp } = await import('sharp')
  const svg = readFileSync(mark)
  const draw = async ({ side, share, purpose }) => {
    const inner = Math.round(side * share)
    // Pixels of an SVG are 1/72 inch; the mark is 32 wide.
    const drawn = await sharp(svg, { density: (72 * inner) / 32 })
      .resize(inner, inner)
      .png()
      .toBuffer()
    const background = share < 1 ? GROUND : '#0000'
    const ground = sharp({ create: { width: side, height: side, channels: 4, background } })
    const bytes = await ground
      .composite([{ input: drawn }])
      .png({ palette: true })
      .toBuffer()
    return hashed(`${purpose}-${side}.png`, folder, bytes)
  }
  const listed = ICONS.map(async (icon) => {
    const sizes = `${icon.side}x${icon.side}`
    return { src: await draw(icon), sizes, type: 'image/png', purpose: icon.purpose }
  })
  return { listed: await Promise.all(listed), touch: await draw(TOUCH) }
}
