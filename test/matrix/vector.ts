import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { density } from '../fixtures/drawing.ts'
import { height, width } from '../fixtures/picture.ts'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { withFolder } from '../harness/folder.ts'
import { pixelsOf } from './decode.ts'
import { expectLike } from './likeness.ts'
import { metafile } from './metafile.ts'
import { openDrawing } from './open-drawing.ts'
import { legible } from './page.ts'
import type { Pixels } from './pixels.ts'
import { likeSolid } from './silhouette.ts'
import { Unlike } from './verdict.ts'

/** A rendered drawing, with its own size in inches. */
interface Rendered extends Pixels {
  inches: { width: number; height: number }
}

async function svg(path: string, format: string): Promise<Rendered> {
  const bytes = await readFile(path)
  if ((bytes[0] === 0x1f) !== (format === 'svgz'))
    throw new Unlike('compressed where it should not be, or not where it should')
  const document = format === 'svgz' ? gunzipSync(bytes) : bytes
  if (/<(image|feImage)\b/.test(document.toString('latin1'))) throw new Unlike('a picture instead of a drawing')
  // At 96 dpi, the resolution of CSS pixels and of drawings without a view box, libvips makes 128 pixels of an inch.
  const picture = await pixelsOf(sharp(document, { density: 96 }))
  return { ...picture, inches: { width: picture.width / 128, height: picture.height / 128 } }
}

/** Rendered by Ghostscript, which writes none of these. */
const eps = (path: string): Promise<Rendered> =>
  withFolder(async (folder) => {
    const device = ['-sDEVICE=png16m', `-r${density * 2}`, '-dEPSCrop', '-dLastPage=1']
    await program('gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', ...device, '-o', `${folder}/page.png`, path)
    const { width, height, data } = await pixelsOf(sharp(`${folder}/page.png`))
    return { width, height, data, inches: { width: width / (2 * density), height: height / (2 * density) } }
  })

/** Its page, in whole millimetres, may be larger than the drawing at the right and below. */
async function shapes(path: string, format: string, source: Sample): Promise<Rendered> {
  const { svg, width, height } = await (format === 'odg' ? openDrawing(path) : metafile(path, format as 'emf' | 'wmf'))
  const box = { width: Math.round(width * density), height: Math.round(height * density), fit: 'fill' } as const
  const whole = await sharp(Buffer.from(svg)).resize(box).png().toBuffer()
  const [across, down] = source.solid
    ? [box.width, box.height]
    : [Math.min(box.width, source.width), Math.min(box.height, source.height)]
  const drawing = sharp(whole).extract({ left: 0, top: 0, width: across, height: down })
  return { ...(await pixelsOf(drawing)), inches: { width, height } }
}

const renderers: Readonly<Record<string, (path: string, format: string, source: Sample) => Promise<Rendered>>> = {
  svg,
  svgz: svg,
  eps,
  emf: shapes,
  wmf: shapes,
  odg: shapes,
}

/** Renders each page of a document at 150 dpi, single or in a zip. */
const drawnPages = (path: string): Promise<Pixels[]> =>
  withFolder(async (folder) => {
    const magic = (await readFile(path)).subarray(0, 2).toString('latin1')
    if (magic !== 'PK') return [await drawnPage(path)]
    await program('unzip', '-q', path, '-d', folder)
    const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
    return Promise.all(names.map((name) => drawnPage(join(folder, name))))
  })

const drawnPage = async (path: string) => pixelsOf(sharp(await readFile(path), { density: 112.5 }))

/** Aspect ratio of the picture. */
const shape = height / width

/** Sources that are drawings already. All others are traced with few colours. */
const drawings = 'svg svgz pdf eps ps ai emf wmf fig dxf dwg odg vsd vsdx cdr'.split(' ')

/**
 * Renders a drawing with another program than its writer, and compares size and look with the source.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyVector(path: string, to: string, source: Sample): Promise<void> {
  if (source.content !== 'picture') return legible(await drawnPages(path), source)
  const renderer = renderers[to]
  if (!renderer) throw new Error(`no reader of ${to}`)
  const from = source.path.split('.').at(-1)!
  const picture = await renderer(path, to, source)
  if (source.solid) return likeSolid(picture, from)
  const traced = !drawings.includes(from)

  // EPS is cropped to what is drawn: an icon loses the bars above and below the picture.
  const square = source.width === source.height && to !== 'eps'
  const size = {
    width: source.width,
    height: source.width === source.height && !square ? source.width * shape : source.height,
  }
  for (const side of ['width', 'height'] as const) {
    const wanted = size[side] / density
    // Bounding boxes of EPS are whole points, those of enhanced metafiles whole millimetres.
    const slack = Math.max(0.02 * wanted, (source.slack + 1) / density, 1 / (to === 'emf' ? 25.4 : 72))
    if (Math.abs(picture.inches[side] - wanted) > slack)
      throw new Unlike(`${picture.inches[side].toFixed(3)} in of ${side} instead of ${wanted.toFixed(3)}`)
  }
  const tones = source.tones === 'colour' ? 'colour' : 'grey'
  const least = source.tones === 'bilevel' ? 11 : traced ? 19 : 22
  await expectLike(picture, source, least, { tones, square })
}
