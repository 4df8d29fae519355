import sharp from 'sharp'
import { density } from '../../fixtures/drawing.ts'
import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode } from '../decode.ts'
import type { Pixels } from '../pixels.ts'

/** Scale at which a page is drawn, so large that poppler's scaling has no visible effect. */
const LARGER = 4

/** Checks the first page of a PDF, which must show a picture. */
export async function pictureOf(path: string, scratch: string, { width, height }: Sample): Promise<Pixels> {
  const size = ['-scale-to-x', width * LARGER, '-scale-to-y', height * LARGER]
  await program('pdftoppm', '-png', '-singlefile', ...size, path, `${scratch}/page`)
  return decode(`${scratch}/page.png`, 'png')
}

/** Checks the first page of a PDF, which must show a picture on a page with margins. */
export async function plotOf(path: string, scratch: string): Promise<Pixels> {
  await program('pdftoppm', '-png', '-singlefile', '-r', `${density * LARGER}`, path, `${scratch}/page`)
  await sharp(`${scratch}/page.png`).trim({ background: '#fff', threshold: 3 }).toFile(`${scratch}/plot.png`)
  return decode(`${scratch}/plot.png`, 'png')
}
