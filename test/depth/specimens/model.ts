import { program } from '../../fixtures/program.ts'
import { facets } from '../../fixtures/solid.ts'
import type { Shape } from '../../matrix/shape.ts'
import type { Specimen } from '../family.ts'
import { inFile, saved, specimen } from '../saved.ts'
import { truthOf } from '../shape.ts'

type Corner = readonly [x: number, y: number, z: number]

const faces = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [1, 2, 6, 5],
  [2, 3, 7, 6],
  [3, 0, 4, 7],
] as const

/** A box as 12 triangles that face outwards. */
function block([x, y, z]: Corner, [w, d, h]: Corner): Shape {
  const points = [z, z + h].flatMap((level): Corner[] => [
    [x, y, level],
    [x + w, y, level],
    [x + w, y + d, level],
    [x, y + d, level],
  ])
  return faces.flatMap(([a, b, c, d]) => [
    [points[a]!, points[b]!, points[c]!],
    [points[a]!, points[c]!, points[d]!],
  ])
}

/** Two boxes apart from each other: a red one and a blue one. */
const two = truthOf([...block([0, 0, 0], [10, 20, 30]), ...block([25, 0, 0], [5, 5, 5])])
const colours = ['#ff0000', '#0000ff']
const angle = truthOf(facets())
const tenfold = truthOf(facets().map((facet) => facet.map((point) => point.map((part) => part * 10))))

const features = ['box', 'volume', 'parts']
const solid = (name: string, truth: object, more: readonly string[] = []) =>
  inFile('model', name, truth, [...features, ...more])

/** Specimens of models. */
export const modelSpecimens: readonly Specimen[] = [
  solid('text.stl', angle),
  solid('split.3mf', angle),
  solid('inch.step', tenfold),
  solid('quads.obj', two),
  // Their nodes move and scale one cube.
  ...['nodes.gltf', 'nodes.glb'].map((name) => solid(name, { ...two, colours }, ['colours'])),
  specimen(
    'text.fbx',
    (output) => program('assimp', 'export', saved('model/boxes.obj'), output, '-ffbxa', '-tri'),
    { ...two, colours },
    [...features, 'colours'],
  ),
]
