import { createPdf, type PdfFile } from './pdf-file.ts'
import type { Raster } from './raster.ts'
import { rasterise } from './rasterise.ts'
import { type Resolution, usual } from './resolution.ts'
import { upright } from './settings.ts'
import { pictures } from './source.ts'
import type { Paper } from './spec.ts'

/** Sides of a page in points: the least that readers show, and the most that PDF allows (ISO 32000-1, annex C). */
const MIN = 3
const MAX = 14_400

/** Makes a PDF of a source: each of its pages or, of an animation, the first frame on a page of its physical size. */
export async function paper(spec: Paper, report: (done: number) => void): Promise<void> {
  const opened = await pictures({ ...spec, pages: 'all', animate: false, box: { fit: 'inside' } })
  await using pdf = await createPdf(spec.output)
  const tree = pdf.reserve()
  const profiles = new Map<string, number>()
  const pages: number[] = []
  for (const [index, open] of opened.entries()) {
    const picture = await open()
    const raster = await rasterise(picture, spec)
    const image = await add(pdf, raster, profiles)
    const [width, height] = sides(picture, upright(picture))
    const contents = await pdf.add('<<>>', {
      stream: [Buffer.from(`q ${matrix(width, height, raster.orientation).map(number).join(' ')} cm /I Do Q`)],
    })
    const resources = `/Resources<</XObject<</I ${image} 0 R>>>>`
    const box = `/MediaBox[0 0 ${number(width)} ${number(height)}]`
    pages.push(await pdf.add(`<</Type/Page/Parent ${tree} 0 R${box}${resources}/Contents ${contents} 0 R>>`))
    report((index + 1) / opened.length)
  }
  const kids = pages.map((page) => `${page} 0 R`).join(' ')
  await pdf.add(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`, { number: tree })
  await pdf.end(await pdf.add(`<</Type/Catalog/Pages ${tree} 0 R>>`))
}

const number = (value: number) => String(Number(value.toFixed(3)))

/** Width and height of a page in points. */
function sides({ width, height }: { width: number; height: number }, dots?: Resolution): [number, number] {
  const { x, y } = dots ?? { x: usual, y: usual }
  const wide = (width / x) * 72
  const high = (height / y) * 72
  const larger = Math.max(1, MIN / Math.min(wide, high))
  const factor = Math.min(larger, MAX / Math.max(wide, high))
  return [wide * factor, high * factor]
}

/** The matrix that puts the unit square on a page, turned as EXIF says (CIPA DC-008, 4.6.4). */
function matrix(w: number, h: number, orientation = 1): number[] {
  const matrices = [
    [w, 0, 0, h, 0, 0],
    [-w, 0, 0, h, w, 0],
    [-w, 0, 0, -h, w, h],
    [w, 0, 0, -h, 0, h],
    [0, -h, -w, 0, w, h],
    [0, -h, w, 0, 0, h],
    [0, h, w, 0, 0, 0],
    [0, h, -w, 0, w, 0],
  ]
  return matrices[orientation - 1] ?? matrices[0]!
}

/** Writes an image with its mask and its profile, which pages share. */
async function add(pdf: PdfFile, raster: Raster, profiles: Map<string, number>): Promise<number> {
  const mask = raster.mask && (await add(pdf, raster.mask, profiles))
  const { width, height, bits, coding, bytes } = raster
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent ${bits}${mask ? `/SMask ${mask} 0 R` : ''}`
  const space = await spaceOf(pdf, raster, profiles)
  return pdf.add(`<</Type/XObject/Subtype/Image${entries}/ColorSpace${space}${coding}>>`, { stream: bytes })
}

async function spaceOf(pdf: PdfFile, raster: Raster, profiles: Map<string, number>): Promise<string> {
  const { icc, components, palette } = raster
  let space = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[components]
  if (icc) {
    const key = icc.toString('latin1')
    const profile = profiles.get(key) ?? (await pdf.add(`<</N ${components}/Alternate${space}>>`, { stream: [icc] }))
    profiles.set(key, profile)
    space = `[/ICCBased ${profile} 0 R]`
  }
  if (!palette) return space
  return `[/Indexed${space} ${palette.length / 3 - 1}<${palette.toString('hex')}>]`
}
