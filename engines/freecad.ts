import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, sandbox, ...own } = pythonProgram('freecad', 'solids.py')

/** Reads and writes solids and meshes with FreeCAD's library. File extensions name the formats; meshes are STL. */
export const freecad: Engine = {
  ...own,
  name: 'freecad',
  version: [...command, '--version'],
  package: 'freecad-python3',
  argv: (job, args) => [command, args, job.input, job.output],
  sandbox: { ...sandbox, addressSpace: 8 * 1024 ** 3 },
}
