import type { Engine } from '../kernel/contract.ts'

/** Run at the end: without it, a file that shows no page becomes an empty one. */
const requirePage = 'currentpagedevice /PageCount get 0 eq {(no page) = flush /rangecheck signalerror} if'

/** Runs PostScript and PDF with one of Ghostscript's devices, without access to other files. */
export const ghostscript: Engine = {
  name: 'ghostscript',
  binary: ['gs'],
  version: ['--version'],
  package: 'ghostscript',
  argv: (job, args) => [
    ...['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT', args, '-o', job.output, job.input],
    ...['-c', requirePage],
  ],
  reason: (lines) => {
    if (lines.some((line) => /requires a password|invalidfileaccess.*password/i.test(line)))
      return { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }
    return lines.includes('no page') ? 'The file shows no page' : undefined
  },
}
