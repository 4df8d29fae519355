import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode, type Pixels } from '../decode.ts'

/** Times that a page is drawn larger than its picture, so that how poppler scales does not show. */
const LARGER = 4

/** The first page of a PDF, which should show a picture. */
export async function pictureOf(path: string, scratch: string, { width, height }: Sample): Promise<Pixels> {
  const size = ['-scale-to-x', width * LARGER, '-scale-to-y', height * LARGER]
  await program('pdftoppm', '-png', '-singlefile', ...size, path, `${scratch}/page`)
  return decode(`${scratch}/page.png`, 'png')
}
