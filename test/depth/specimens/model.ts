import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { inFile, saved, specimen } from '../saved.ts'

/** Two boxes apart from each other, a red one and a blue one, and the sides of the box around both. */
const two = { box: [20, 30, 30], colours: ['#ff0000', '#0000ff'] }

/** Specimens of models. */
export const modelSpecimens: readonly Specimen[] = [
  inFile('model', 'inch.step', { box: [120, 200, 300] }),
  inFile('model', 'quads.obj', { box: two.box }),
  // Their nodes move and scale one cube.
  inFile('model', 'nodes.gltf', two),
  inFile('model', 'nodes.glb', two),
  specimen(
    'text.fbx',
    (output) => program('assimp', 'export', saved('model/boxes.obj'), output, '-ffbxa', '-tri'),
    two,
  ),
]
