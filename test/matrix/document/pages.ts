import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode, type Pixels } from '../decode.ts'

export { withFolder as folder } from '../folder.ts'

/** The first page of a PDF, drawn as large as the picture that it should show. */
export async function pictureOf(path: string, scratch: string, { width, height }: Sample): Promise<Pixels> {
  const size = ['-scale-to-x', width, '-scale-to-y', height]
  await program('pdftoppm', '-png', '-singlefile', ...size, path, `${scratch}/page`)
  return decode(`${scratch}/page.png`, 'png')
}
