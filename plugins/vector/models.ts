import { assimp } from '../../engines/assimp.ts'
import { blendOpener } from '../../engines/blend.ts'
import { freecad } from '../../engines/freecad.ts'
import { mend, mendAll, meshDrawer, packageReader } from '../../engines/meshes.ts'
import { openscad, refuseIncomplete } from '../../engines/openscad.ts'
import type { Step } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { mesh, solid } from '../formats/model/models.ts'
import type { Reader } from './join.ts'

/** The previous step writes a binary STL of this name. */
const output = 'model.stl'

/** Draws triangles from the front, the right and above. `up` is the axis that points upwards. */
const draw = (up: 'y' | 'z'): Step => ({ engine: meshDrawer, output: 'drawing.svg', args: () => [up] })

const triangulate: Step = { engine: assimp, output, args: () => ['-fstlb', '-tri'] }

/** Meshes for printing. */
const manufactured = ['stl', 'ply', 'off', '3mf', 'amf']

/** In formats for manufacturing and of Blender, z points upwards. assimp rotates other scenes so that y does. */
export const modelReaders: readonly Reader[] = [
  { from: manufactured, engine: meshDrawer, steps: [...mendAll, triangulate, draw('z')] },
  { from: without(mesh, ...manufactured, 'blend'), engine: meshDrawer, steps: [...mendAll, triangulate, draw('y')] },
  { from: ['3mf'], engine: packageReader, steps: [...mend, { engine: packageReader, output }, draw('z')] },
  { from: solid, engine: freecad, steps: [{ engine: freecad, output }, draw('z')] },
  {
    from: ['blend'],
    engine: meshDrawer,
    steps: [{ engine: blendOpener, output: 'scene.blend' }, triangulate, draw('z')],
  },
  {
    // A program describes a solid, or something flat.
    from: ['scad'],
    engine: openscad,
    steps: [
      {
        engine: openscad,
        output,
        optional: true,
        args: () => ['--export-format', 'binstl'],
        facts: refuseIncomplete,
      },
      { ...draw('z'), when: { written: output }, optional: true },
      {
        engine: openscad,
        input: 'source',
        output: 'drawing.svg',
        facts: refuseIncomplete,
        when: { not: { written: 'drawing.svg' } },
      },
    ],
  },
]
