import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const folder = fileURLToPath(new URL('programs/freecad', import.meta.url))
const program = ['-I', '-B', `${folder}/solids.py`]

/** Reads and writes solids, by FreeCAD as a library. Formats go by the extensions of the files; a mesh is a STL. */
export const freecad: Engine = {
  name: 'freecad',
  binary: ['/usr/bin/python3'],
  version: [...program, '--version'],
  package: 'freecad-python3',
  argv: (job, args) => [program, args, job.input, job.output],
  reason: (lines) => {
    const said = lines.findLast((line) => line.startsWith('The model '))?.slice(0, 200)
    return said?.includes('at most') ? { code: 'RESOURCE_LIMIT', message: said } : said
  },
  sandbox: { binds: [folder], addressSpace: 8 * 1024 ** 3 },
}
