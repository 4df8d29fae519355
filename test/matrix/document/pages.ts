import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode, type Pixels } from '../decode.ts'

/** Scale at which a page is drawn, so large that poppler's scaling has no visible effect. */
const LARGER = 4

/** Checks the first page of a PDF, which must show a picture. */
export async function pictureOf(path: string, scratch: string, { width, height }: Sample): Promise<Pixels> {
  const size = ['-scale-to-x', width * LARGER, '-scale-to-y', height * LARGER]
  await program('pdftoppm', '-png', '-singlefile', ...size, path, `${scratch}/page`)
  return decode(`${scratch}/page.png`, 'png')
}
