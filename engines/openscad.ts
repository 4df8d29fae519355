import type { Engine } from '../kernel/contract.ts'

/** Builds what an OpenSCAD program describes (openscad(1)). What it includes lies outside the sandbox. */
export const openscad: Engine = {
  name: 'openscad',
  binary: ['openscad'],
  version: ['--version'],
  package: 'openscad',
  argv: (job, args) => [args, '-o', job.output, job.input],
  reason: (lines) => {
    if (lines.some((line) => /parser error|Can't parse file/i.test(line))) return 'The program has a syntax error'
    if (lines.some((line) => /include|use|import/.test(line) && /can't open|not found/i.test(line)))
      return 'The program uses other files, which were not uploaded with it'
    if (lines.some((line) => /top level object is (empty|not a)/i.test(line)))
      return 'The program describes nothing of the kind that was asked for'
    return undefined
  },
}
