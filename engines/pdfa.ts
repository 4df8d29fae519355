import type { Engine, Job, Step } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('pdfa', 'pdfa.py')

/** Makes a PDF conform to PDF/A-2b. The arguments are a mode of `programs/pdfa/pdfa.py` and what follows the files. */
export const pdfa: Engine = {
  ...own,
  name: 'pdfa',
  version: [...command, 'features'],
  features: [...command, 'features'],
  package: 'python3-pikepdf',
  argv: (job, [mode, ...args]) => [command, mode, job.input, mode !== 'look' && [job.output, args]],
}

/** The feature that routes need: Python may be installed without pikepdf. */
const needs = ['pdfa']

/** What must happen before a PDF can be written as PDF/A. */
export interface ArchiveFacts {
  /** Its pages must be drawn anew. */
  redraw: boolean
  /** Comments have no appearance. */
  bare: boolean
  /** Fonts that it does not contain. */
  missing: readonly string[]
}

/** Finds out what must happen before a PDF can be written as PDF/A. */
export const lookAtArchive: Step<object, ArchiveFacts> = {
  engine: pdfa,
  needs,
  args: () => ['look'],
  output: false,
  facts: (lines) => ({
    more: {
      redraw: lines.includes('redraw'),
      bare: lines.includes('bare'),
      missing: lines.flatMap((line) => /^font (.+)$/.exec(line)?.[1] ?? []),
    },
  }),
}

/**
 * Writes the PDF as PDF/A.
 *
 * @param described Returns the path of the PDF whose title, author and so on are kept; false: the result has none.
 */
export const writeArchive = (described: (job: Job, input: string) => string | false): Step => ({
  engine: pdfa,
  needs,
  args: (job, { input }) => ['write', described(job, input)],
})
