import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Refusal } from '../refusal/refusal.ts'
import { mended } from '../svg/mended.ts'
import { sizedBy, tellsSize } from '../svg/size.ts'
import { hasHtml, hasTextPath } from '../svg/unsupported.ts'
import { sharp } from './library.ts'
import { maxPixels, type Opening } from './spec.ts'

/** Most pixels per side of a rendered drawing. */
const maxSide = 16_384
/** Most bytes of an SVG document. librsvg rejects text nodes above 10 MB. */
const maxBytes = 64 * 1024 * 1024
const wrappable = 7_000_000
/** Pixels per inch in CSS, and of a rendering without a box. */
const css = 96
const dpi = 150

/** A document that renders at the right size. */
interface Drawing {
  document: Buffer
  /** The density to render it with. */
  density: number
  /** Pixels an inch of the drawing, whose size is in CSS units. */
  dots: number
}

/**
 * Reads an SVG document, and fits it into the box.
 *
 * The document is wrapped in another one of that size, because a higher density would also enlarge everything that is
 * measured in points or inches. From a buffer, librsvg has no base URL and loads no other file.
 */
export async function drawing(spec: Opening): Promise<Drawing> {
  const document = await measured(mended(plain(await readFile(spec.input))))
  if (!spec.lossy && hasTextPath(document)) throw new Refusal('The drawing has text along a path')
  if (!spec.lossy && hasHtml(document)) throw new Refusal('The drawing has parts in HTML')
  const meta = await sharp(document, { density: css, limitInputPixels: false }).metadata()
  if (meta.format !== 'svg') throw new Refusal('The file is not an SVG drawing')
  // libvips uses 72 pixels per inch, CSS 96.
  const natural = { width: (meta.width * 72) / css, height: (meta.height * 72) / css }
  const scale = filling(natural, spec.box)
  const width = Math.max(1, Math.round(natural.width * scale))
  const height = Math.max(1, Math.round(natural.height * scale))
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new Refusal(
      `The drawing would be ${width} × ${height} pixels; the limits are 16,384 per side and 268 megapixels`,
      'RESOURCE_LIMIT',
    )
  const dots = css * scale
  if (document.length > wrappable) return { document, density: Math.min(dots, 100_000), dots }
  return { document: framed(document, (width * 72) / css, (height * 72) / css), density: css, dots }
}

/** Side of the area in which content without a size is looked for, in CSS pixels. */
const area = 4096

/** Gives a drawing that tells no size that of its content, from the origin. librsvg would not scale such content. */
async function measured(document: Buffer): Promise<Buffer> {
  if (tellsSize(document)) return document
  // At the density of the drawing itself, because points and millimetres depend on it.
  const side = (area * 72) / css
  const density = css
  const seen = sharp(framed(sizedBy(document, area, area), side, side), { density }).trim({
    background: '#00000000',
    threshold: 0,
  })
  const { info } = await seen.toBuffer({ resolveWithObject: true }).catch(() => ({ info: undefined }))
  const { width = 0, height = 0, trimOffsetLeft = 0, trimOffsetTop = 0 } = info ?? {}
  const right = width - trimOffsetLeft
  const bottom = height - trimOffsetTop
  const found = width > 0 && height > 0 && right < area && bottom < area
  return found ? sizedBy(document, right, bottom) : document
}

/** The factor by which to scale a drawing to its box, from its size in CSS pixels. */
function filling(natural: { width: number; height: number }, { width, height, fit }: Opening['box']): number {
  const factors = [width && width / natural.width, height && height / natural.height].filter((n) => n !== undefined)
  if (factors.length === 0) return dpi / css
  return fit === 'inside' || fit === 'contain' ? Math.min(...factors) : Math.max(...factors)
}

function framed(document: Buffer, width: number, height: number): Buffer {
  const href = `data:image/svg+xml;base64,${document.toString('base64')}`
  const image = `<image width="${width}" height="${height}" preserveAspectRatio="none" href="${href}"/>`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`)
}

function plain(bytes: Buffer): Buffer {
  const limit = new Refusal('The drawing is larger than 64 MiB of SVG', 'RESOURCE_LIMIT')
  if (bytes.length > maxBytes) throw limit
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw limit
    throw new Refusal('The compressed drawing is damaged')
  }
}
