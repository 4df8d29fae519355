import type { Engine, Facts } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'

const flat =
  'The program draws a flat shape, and the target holds bodies. Use linear_extrude() in it, or convert it to SVG, DXF or PDF'
const incomplete = 'The program uses other files, which cannot be uploaded with it'

/** Runs an OpenSCAD program (openscad(1)). Files that it includes do not exist in the sandbox. */
export const openscad: Engine = {
  name: 'openscad',
  binary: ['openscad'],
  version: ['--version'],
  package: 'openscad',
  argv: (job, args) => [args, '-o', job.output, job.input],
  reason: (lines) => {
    if (lines.some((line) => /parser error|Can't parse file/i.test(line))) return 'The program has a syntax error'
    if (lines.some((line) => /include|use|import/.test(line) && /can't open|not found/i.test(line))) return incomplete
    if (lines.some((line) => /top level object is not a 3D/i.test(line))) return flat
    // A shape that was made is described: "Top level object is a 3D object".
    const isMade = lines.some((line) => /^\s*top level object is a \dD/i.test(line))
    if (lines.some((line) => /top level object is (empty|not a)/i.test(line)))
      return isMade ? 'OpenSCAD cannot write the solid that the program makes' : 'The program draws nothing'
    return undefined
  },
}

/** No facts. @throws CONVERSION_ERROR for a program with missing files: OpenSCAD itself only ignores them. */
export function refuseIncomplete(lines: readonly string[]): Partial<Facts> {
  if (lines.some((line) => /can't open |couldn't be opened|unsupported file format|import failed/i.test(line)))
    throw fail('CONVERSION_ERROR', incomplete)
  return {}
}
