import { freecad } from '../../engines/freecad.ts'
import type { Route } from '../../kernel/contract.ts'
import type { CadOptions } from './options.ts'
import { meshes, packages, programs, scenes, solids, type Triangles } from './triangles.ts'

const to = ['step', 'iges', 'brep']

/** Makes a flat face of each plane of a mesh. */
const faced = ({ from, steps }: Triangles): Route<CadOptions> => ({
  from,
  to,
  engine: freecad,
  steps: [...steps, { engine: freecad }],
})

/** Solids from solids, exactly, and from meshes, face by face. */
export const solidRoutes: readonly Route<CadOptions>[] = [
  { from: solids.from, to, engine: freecad, args: () => [] },
  faced(programs),
  faced(meshes),
  faced(packages),
  faced(scenes),
]
