import { basename } from 'node:path'
import sharp from 'sharp'
import { office } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'
import type { Sample } from '../../fixtures/sample.ts'
import { decode } from '../decode.ts'
import { psnr } from '../likeness.ts'
import { read } from '../page.ts'
import { Unlike } from '../verdict.ts'

/** Minimum likeness in dB of two drawings of one page by different programs. */
const LIKE = 24
/** Resolution in dpi at which pages are compared: letters are grey spots then, with any antialiasing. */
const COARSE = 40

/** Converts PostScript to a PDF with a program that did not write it. */
export async function distilled(path: string, scratch: string): Promise<string> {
  const output = `${scratch}/distilled.pdf`
  await program('gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o', output, path)
  return output
}

/**
 * Compares pages with those of a document, from its own PDF or as another LibreOffice prints it.
 *
 * @throws Unlike if their number differs, or one looks different.
 */
export async function samePages(made: string, { path }: Sample, scratch: string): Promise<void> {
  const wanted = path.endsWith('.pdf') ? path : `${scratch}/wanted.pdf`
  if (wanted !== path) await office(path, wanted, scratch, 'pdf')
  const got = await drawn(made, scratch, 'got')
  const expected = await drawn(wanted, scratch, 'wanted')
  if (got.length !== expected.length) throw new Unlike(`${got.length} pages instead of ${expected.length}`)
  for (const [index, page] of got.entries()) {
    const level = psnr(expected[index]!, page)
    if (level < LIKE) throw new Unlike(`page ${index + 1} of ${basename(path)}: ${level.toFixed(1)} dB`)
  }
}

/** Reads the first page of a PDF by its look: words anywhere on the page, in English. */
export async function readPage(pdf: string, scratch: string): Promise<string> {
  await program('pdftoppm', '-r', 150, '-png', '-singlefile', pdf, `${scratch}/read`)
  return read(await decode(`${scratch}/read.png`, 'png'), 11)
}

/** Renders every page in grey. */
async function drawn(path: string, scratch: string, name: string): Promise<Buffer[]> {
  const count = Number((await program('qpdf', '--show-npages', path)).toString())
  const pages: Buffer[] = []
  for (let page = 1; page <= count; page++) {
    const stem = `${scratch}/${name}-${page}`
    await program('pdftoppm', '-r', COARSE, '-gray', '-png', '-singlefile', '-f', page, '-l', page, path, stem)
    pages.push(await sharp(`${stem}.png`).resize(300, 400, { fit: 'fill' }).grayscale().raw().toBuffer())
  }
  return pages
}
