import type { Engine } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'

// Without -q, which would also silence the message about a password.
const reason: Engine['reason'] = (lines) =>
  lines.some((line) => /incorrect password/i.test(line))
    ? { code: 'ENCRYPTED_INPUT', message: 'The PDF asks for a password' }
    : undefined

/** Prints the number of pages and, for `-f` to `-l`, their sizes. */
export const pdfinfo: Engine = {
  name: 'pdfinfo',
  binary: ['pdfinfo'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => [args, job.input],
  reason,
}

/** The number of pages that `pdfinfo` printed. @throws CONVERSION_ERROR when there is none. */
export function countPages(lines: readonly string[]): number {
  // The document's own metadata comes first, so the last line of this kind is poppler's.
  const pages = Number(lines.findLast((line) => line.startsWith('Pages:'))?.slice(6))
  if (!(pages >= 1)) throw fail('CONVERSION_ERROR', 'The document has no pages')
  return pages
}

/**
 * Renders pages on white. The output is the prefix of the file names, or one name for all with `-%03d` in it; see
 * `filesOf`.
 */
export const pdftoppm: Engine = {
  name: 'pdftoppm',
  binary: ['pdftoppm'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => [args, job.input, job.output.replace(/-%03d\.\w+$/, '')],
  reason,
}

/** The files of all pages, from a name with `%03d`. All numbers have as many digits as the last page's. */
export const filesOf = (name: string, pages: number): string[] =>
  Array.from({ length: pages }, (_, index) => name.replace('%03d', `${index + 1}`.padStart(`${pages}`.length, '0')))

/** Renders pages with Cairo, optionally without a background. The output is the prefix of the file names. */
export const pdftocairo: Engine = {
  name: 'pdftocairo',
  binary: ['pdftocairo'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => [args, job.input, job.output],
  reason,
}

/** Converts pages to PostScript. The output is one file. */
export const pdftops: Engine = {
  name: 'pdftops',
  binary: ['pdftops'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => [args, job.input, job.output],
  reason,
}

/** Writes the text of a PDF as UTF-8. */
export const pdftotext: Engine = {
  name: 'pdftotext',
  binary: ['pdftotext'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => ['-enc', 'UTF-8', args, job.input, job.output],
  reason,
}

/** Writes the text of a PDF with positions as XML, and its images as files beside it. */
export const pdftohtml: Engine = {
  name: 'pdftohtml',
  binary: ['pdftohtml'],
  version: ['-v'],
  package: 'poppler-utils',
  argv: (job, args) => ['-enc', 'UTF-8', args, job.input, job.output],
  reason,
}
