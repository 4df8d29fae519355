import type { Engine } from '../kernel/contract.ts'

/** Rewrites a PDF, unchanged or compressed differently. */
export const qpdf: Engine = {
  name: 'qpdf',
  binary: ['qpdf'],
  version: ['--version'],
  package: 'qpdf',
  argv: (job, args) => ['--warning-exit-0', args, job.input, job.output],
  reason: (lines) =>
    lines.some((line) => /invalid password/i.test(line))
      ? { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }
      : undefined,
}
