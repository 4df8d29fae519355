import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../../fixtures/program.ts'
import type { Shape } from '../../matrix/shape.ts'
import type { Specimen } from '../family.ts'
import { formatOf, saved } from '../saved.ts'
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

const corners = ([x, y, z]: Corner, [w, d, h]: Corner): Corner[] => [
  ...[z, z + h].flatMap((level): Corner[] => [
    [x, y, level],
    [x + w, y, level],
    [x + w, y + d, level],
    [x, y + d, level],
  ]),
]

/** A box as 12 triangles that face outwards. */
const block = (at: Corner, sides: Corner): Shape => {
  const points = corners(at, sides)
  return faces.flatMap(([a, b, c, d]) => [
    [points[a]!, points[b]!, points[c]!],
    [points[a]!, points[c]!, points[d]!],
  ])
}

/** Two boxes apart from each other: a red one and a blue one. */
export const two = [...block([0, 0, 0], [10, 20, 30]), ...block([25, 0, 0], [5, 5, 5])]
export const paints = ['#ff0000', '#0000ff']

/** By Assimp, which writes both boxes with its exporter `id`; in `nodes.glb`, they are in nodes that move and scale. */
export const byAssimp = (name: string, id: string, features: readonly string[] = [], of = 'boxes.obj'): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'Assimp',
  features: [...features, 'box', 'volume', 'parts'],
  truth: { ...truthOf(two), ...(features.includes('colours') && { colours: paints }) },
  make: (output) => program('assimp', 'export', saved(`model/${of}`), output, `-f${id}`, '-tri'),
})

/** A box with a square hole through it. */
const hollow = 'difference() { cube([10, 20, 30]); translate([2, 3, -1]) cube([3, 4, 32]); }\n'

/** By OpenSCAD. */
export const byOpenScad = (name: string): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'OpenSCAD',
  features: ['box', 'volume', 'parts'],
  truth: { box: [10, 20, 30], volume: 10 * 20 * 30 - 3 * 4 * 30, parts: 1 },
  make: async (output, scratch) => {
    await writeFile(join(scratch, 'in.scad'), hollow)
    await program('openscad', '-o', output, join(scratch, 'in.scad'))
  },
})

/** A cylinder of radius 10 and height 30, and a box beside it. */
const round = { box: [20, 30, 45], volume: Math.PI * 100 * 30 + 1000, parts: 2 }

/** By FreeCAD: `write` gets the shape as `shape`, and the path as `out`. */
export const byFreeCad = (name: string, write: string, truth: object = round): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'FreeCAD',
  features: ['box', 'volume', 'parts'],
  truth: { ...truth },
  make: async (output, scratch) => {
    const script = `import FreeCAD, Part, Mesh, MeshPart, Import
out = ${JSON.stringify(output)}
box = Part.makeBox(10, 10, 10, FreeCAD.Vector(25, -5, 0))
shape = Part.makeCompound([Part.makeCylinder(10, 30), box])
mesh = lambda: MeshPart.meshFromShape(Shape=shape, LinearDeflection=0.05, AngularDeflection=0.2)
doc = FreeCAD.newDocument('it')
part = doc.addObject('Part::Feature', 'part')
part.Shape = shape
doc.recompute()
${write}
`
    await writeFile(join(scratch, 'make.py'), script)
    await program('freecadcmd', join(scratch, 'make.py'))
  },
})

/** By Gmsh with its OpenCASCADE kernel: a wedge cut from a box. */
export const byGmsh = (name: string, options: readonly (string | number)[] = []): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'Gmsh',
  features: ['box', 'volume'],
  truth: { box: [10, 20, 30], volume: 10 * 20 * 30 - 5 * 5 * 30, parts: 1 },
  make: async (output, scratch) => {
    const geo =
      'SetFactory("OpenCASCADE");\nBox(1)={0,0,0,10,20,30};\nBox(2)={5,15,0,5,5,30};\nBooleanDifference(3)={Volume{1};Delete;}{Volume{2};Delete;};\n'
    await writeFile(join(scratch, 'in.geo'), geo)
    await program('gmsh', join(scratch, 'in.geo'), '-v', 1, '-clmax', 4, ...options, '-o', output)
  },
})
