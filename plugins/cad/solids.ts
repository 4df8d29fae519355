import { freecad } from '../../engines/freecad.ts'
import type { Route } from '../../kernel/contract.ts'
import { type Mesher, meshes, programs, scenes, solids } from './meshers.ts'
import type { CadOptions } from './options.ts'

const targets = ['step', 'iges', 'brep']

/** A flat face for each plane of a mesh. */
const faced = ({ engine, uses = [], from, mesh }: Mesher): Route<CadOptions> => ({
  ...{ from, to: targets, engine: freecad, uses: [engine, ...uses] },
  convert: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    await mesh(job, run, input)
    await run(freecad, [], { input })
  },
})

/** Solids out of solids, exactly, and out of meshes, as they are. */
export const solidRoutes: Route<CadOptions>[] = [
  { from: solids.from, to: targets, engine: freecad, args: () => [] },
  faced(programs),
  faced(meshes),
  faced(scenes),
]
