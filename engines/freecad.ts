import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { told } from './node/told.ts'

const folder = fileURLToPath(new URL('programs/freecad', import.meta.url))
const program = ['-I', '-B', `${folder}/solids.py`]

/** Reads and writes solids, by FreeCAD as a library. Formats go by the extensions of the files; a mesh is a STL. */
export const freecad: Engine = {
  name: 'freecad',
  binary: ['/usr/bin/python3'],
  version: [...program, '--version'],
  package: 'freecad-python3',
  argv: (job, args) => [program, args, job.input, job.output],
  reason: told,
  sandbox: { binds: [folder], addressSpace: 8 * 1024 ** 3 },
}
