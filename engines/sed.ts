import type { Engine } from '../kernel/contract.ts'

/**
 * Drops control characters from a text in place: glyphs without a letter (sed(1)). Refuses a text of a PDF that has
 * white space only: the hold space has the last line with more.
 */
export const wordsOfPdf: Engine = {
  name: 'sed',
  binary: ['sed'],
  version: ['--version'],
  package: 'sed',
  argv: (job) => [
    '-i',
    '-e',
    's/[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f]//g',
    '-e',
    '/[^[:space:]]/h',
    '-e',
    '$ { x; /./! q1; x }',
    job.input,
  ],
  reason: () => ({
    code: 'CONVERSION_ERROR',
    message:
      'The PDF shows no text, and text recognition found none; it may be blank, damaged or a picture without words',
  }),
}
