import type { Engine } from '../kernel/contract.ts'

/** Runs PostScript and PDF with one of Ghostscript's devices, without access to other files. */
export const ghostscript: Engine = {
  name: 'ghostscript',
  binary: ['gs'],
  version: ['--version'],
  package: 'ghostscript',
  argv: (job, args) => ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT', args, '-o', job.output, job.input],
  reason: (lines) =>
    lines.some((line) => /requires a password|invalidfileaccess.*password/i.test(line))
      ? { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }
      : undefined,
}
