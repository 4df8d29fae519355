import { freecad } from '../../engines/freecad.ts'
import type { Route } from '../../kernel/contract.ts'
import type { CadOptions } from './options.ts'
import { meshes, programs, scenes, solids, type Triangles } from './triangles.ts'

const to = ['step', 'iges', 'brep']

/** A flat face for each plane of a mesh. */
const faced = ({ from, steps }: Triangles): Route<CadOptions> => ({
  ...{ from, to, engine: freecad, steps: [...steps, { engine: freecad }] },
})

/** Solids out of solids, exactly, and out of meshes, as they are. */
export const solidRoutes: readonly Route<CadOptions>[] = [
  { from: solids.from, to, engine: freecad, args: () => [] },
  faced(programs),
  faced(meshes),
  faced(scenes),
]
