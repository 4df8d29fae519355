import sharp from 'sharp'
import { density } from '../../fixtures/drawing.ts'
import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode } from '../decode.ts'
import type { Pixels } from '../pixels.ts'
import { Unlike } from '../verdict.ts'

/** Scale at which a page is drawn, so large that poppler's scaling has no visible effect. */
const LARGER = 4

/** Checks the first page of a PDF, which must show a picture. */
export async function pictureOf(path: string, scratch: string, { width, height }: Sample): Promise<Pixels> {
  const size = ['-scale-to-x', width * LARGER, '-scale-to-y', height * LARGER]
  await program('pdftoppm', '-png', '-singlefile', ...size, path, `${scratch}/page`)
  return decode(`${scratch}/page.png`, 'png')
}

/** Checks the first page of a PDF, which must show a picture in its real size, in the middle of a page with margins. */
export async function plotOf(path: string, scratch: string, { width, height, slack }: Sample): Promise<Pixels> {
  await program('pdftoppm', '-png', '-singlefile', '-r', `${density * LARGER}`, path, `${scratch}/page`)
  const page = sharp(`${scratch}/page.png`)
  const paper = await page.metadata()
  const { data, info } = await page
    .trim({ background: '#fff', threshold: 3 })
    .png()
    .toBuffer({ resolveWithObject: true })
  for (const [got, wanted] of [
    [info.width, width],
    [info.height, height],
  ] as const)
    if (Math.abs(got / LARGER - wanted) > slack + 0.02 * wanted)
      throw new Unlike(`${got / LARGER} pixels on paper instead of ${wanted}`)
  const edges = { left: -info.trimOffsetLeft!, top: -info.trimOffsetTop! }
  const margins = [
    edges.left,
    paper.width - edges.left - info.width,
    edges.top,
    paper.height - edges.top - info.height,
  ].map((pixels) => (pixels / LARGER / density) * 25.4)
  if (Math.min(...margins) < 9.5) throw new Unlike(`a margin of ${Math.min(...margins).toFixed(1)} mm`)
  await sharp(data).toFile(`${scratch}/plot.png`)
  return decode(`${scratch}/plot.png`, 'png')
}
