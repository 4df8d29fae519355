import { dirname } from 'node:path'
import type { Engine } from '../kernel/contract.ts'
import { setPaper } from './ghostscript-paper.ts'

/** A string of PostScript. */
const literal = (text: string) => `(${text.replace(/[()\\]/g, '\\$&')})`

/**
 * Run at the end. A file that shows no page is drawn once more, to find out whether it has marks: then the page that it
 * left unfinished is the result. Without marks that would be an empty page.
 */
const requireMarks = (path: string) =>
  [
    'currentpagedevice /PageCount get 0 eq {',
    `(bbox) selectdevice {${literal(path)} run} stopped clear`,
    'currentdevice getdeviceprops >> /PageBoundingBox get aload pop pop exch pop gt', // left > right
    '{(no page) = flush null /rangecheck signalerror} if',
    '} if',
  ].join(' ')

/**
 * Runs PostScript and PDF with one of Ghostscript's devices, without access to files outside the folder of the input.
 */
export const ghostscript: Engine = {
  name: 'ghostscript',
  binary: ['gs'],
  version: ['--version'],
  package: 'ghostscript',
  argv: (job, args) => [
    '-q',
    '-dSAFER',
    `--permit-file-read=${dirname(job.input)}/`,
    '-dBATCH',
    '-dNOPAUSE',
    '-dNOPROMPT',
    '-sDEFAULTPAPERSIZE=a4',
    args,
    '-o',
    job.output,
    // Ghostscript forbids a file itself again, once it has run it.
    '-c',
    setPaper(literal(job.input)),
    '-f',
    job.input,
    '-c',
    requireMarks(job.input),
  ],
  reason: (lines) => {
    if (lines.some((line) => /requires a password|invalidfileaccess.*password/i.test(line)))
      return { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }
    return lines.includes('no page') ? 'The file shows no page' : undefined
  },
}
