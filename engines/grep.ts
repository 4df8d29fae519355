import type { Engine } from '../kernel/contract.ts'

/** Looks for anything but white space in a text (grep(1)). Refuses a text of a PDF without it. */
export const wordsOfPdf: Engine = {
  name: 'grep',
  binary: ['grep'],
  version: ['--version'],
  package: 'grep',
  argv: (job) => ['-q', '[^[:space:]]', job.input],
  reason: () => ({
    code: 'CONVERSION_ERROR',
    message:
      'The PDF shows no text, and text recognition found none; it may be blank, damaged or a picture without words',
  }),
}
