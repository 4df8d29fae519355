import type { Engine, Facts } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'

const incomplete = 'The program uses other files, which were not uploaded with it'

/** Builds what an OpenSCAD program describes (openscad(1)). What it includes lies outside the sandbox. */
export const openscad: Engine = {
  name: 'openscad',
  binary: ['openscad'],
  version: ['--version'],
  package: 'openscad',
  argv: (job, args) => [args, '-o', job.output, job.input],
  reason: (lines) => {
    if (lines.some((line) => /parser error|Can't parse file/i.test(line))) return 'The program has a syntax error'
    if (lines.some((line) => /include|use|import/.test(line) && /can't open|not found/i.test(line))) return incomplete
    if (lines.some((line) => /top level object is (empty|not a)/i.test(line)))
      return 'The program describes nothing of the kind that was asked for'
    return undefined
  },
}

/** Facts of a step: none. OpenSCAD leaves out files that it does not find. @throws CONVERSION_ERROR for such a program. */
export function refuseIncomplete(lines: readonly string[]): Partial<Facts> {
  if (lines.some((line) => /can't open |couldn't be opened|unsupported file format|import failed/i.test(line)))
    throw fail('CONVERSION_ERROR', incomplete)
  return {}
}
