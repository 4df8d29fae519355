import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { density } from '../fixtures/drawing.ts'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import type { Pixels } from './decode.ts'
import { withFolder } from './folder.ts'
import { likeness } from './likeness.ts'
import { metafile } from './metafile.ts'
import { Unlike, type Verdict } from './verdict.ts'

/** A drawing rendered, with its own size in inches. */
interface Rendered extends Pixels {
  inches: { width: number; height: number }
}

async function pixels(picture: sharp.Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

async function svg(path: string, format: string): Promise<Rendered> {
  const bytes = await readFile(path)
  if ((bytes[0] === 0x1f) !== (format === 'svgz'))
    throw new Unlike('compressed where it should not be, or not where it should')
  const document = format === 'svgz' ? gunzipSync(bytes) : bytes
  if (/<(image|feImage)\b/.test(document.toString('latin1'))) throw new Unlike('a picture instead of a drawing')
  const picture = await pixels(sharp(document, { density }))
  // libvips takes CSS pixels, of which an inch has 96, for points.
  const { width, height } = await sharp(document, { density: 72 }).metadata()
  return { ...picture, inches: { width: width / 72, height: height / 72 } }
}

/** By Ghostscript, which writes none of these. */
const eps = (path: string): Promise<Rendered> =>
  withFolder(async (folder) => {
    const device = ['-sDEVICE=png16m', `-r${density * 2}`, '-dEPSCrop', '-dLastPage=1']
    await program('gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', ...device, '-o', `${folder}/page.png`, path)
    const { width, height, data } = await pixels(sharp(`${folder}/page.png`))
    return { width, height, data, inches: { width: width / (2 * density), height: height / (2 * density) } }
  })

async function shapes(path: string, format: string): Promise<Rendered> {
  const { svg, width, height } = await metafile(path, format as 'emf' | 'wmf')
  const box = { width: Math.round(width * density), height: Math.round(height * density), fit: 'fill' } as const
  return { ...(await pixels(sharp(Buffer.from(svg)).resize(box))), inches: { width, height } }
}

const renderers: Readonly<Record<string, (path: string, format: string) => Promise<Rendered>>> = {
  ...{ svg, svgz: svg, eps, emf: shapes, wmf: shapes },
}

/** Drawings that are one already; everything else is traced, in few colours. */
const drawings = ['svg', 'svgz', 'pdf', 'eps', 'ps', 'ai', 'emf', 'wmf', 'fig', 'dxf']

/**
 * Renders a drawing by another program than the one that wrote it, and holds size and look against the source.
 *
 * @throws Unlike what is not as it should be, or as the reader does when it cannot read the file.
 */
export async function verifyVector(path: string, to: string, source: Sample): Promise<Verdict> {
  const renderer = renderers[to]
  if (!renderer) throw new Error(`no reader of ${to}`)
  const from = source.path.split('.').at(-1)!
  const picture = await renderer(path, to)
  const traced = !drawings.includes(from)

  for (const side of ['width', 'height'] as const) {
    const wanted = source[side] / density
    // Boxes of EPS are whole points.
    const slack = Math.max(0.02 * wanted, (source.slack + 1) / density, 1 / 72)
    if (Math.abs(picture.inches[side] - wanted) > slack)
      throw new Unlike(`${picture.inches[side].toFixed(3)} in of ${side} instead of ${wanted.toFixed(3)}`)
  }
  const square = source.width === source.height
  const tones = source.tones === 'colour' ? 'colour' : 'grey'
  const psnr = await likeness(picture, 0, { tones, square })
  const least = Math.min(source.tones === 'bilevel' ? 11 : traced ? 19 : 22, source.likeness)
  if (psnr < least) throw new Unlike(`${psnr.toFixed(1)} dB, at least ${least} wanted`)
  return { psnr: Math.round(psnr * 10) / 10 }
}
