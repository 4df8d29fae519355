import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../../fixtures/program.ts'
import type { Shape } from '../../matrix/shape.ts'
import type { Specimen } from '../family.ts'
import { truthOf } from '../shape.ts'

type Corner = readonly [x: number, y: number, z: number]

export const faces = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [1, 2, 6, 5],
  [2, 3, 7, 6],
  [3, 0, 4, 7],
] as const

export const corners = ([x, y, z]: Corner, [w, d, h]: Corner): Corner[] => [
  ...[z, z + h].flatMap((level): Corner[] => [
    [x, y, level],
    [x + w, y, level],
    [x + w, y + d, level],
    [x, y + d, level],
  ]),
]

/** A box as 12 triangles that face outwards. */
export const block = (at: Corner, sides: Corner): Shape => {
  const points = corners(at, sides)
  return faces.flatMap(([a, b, c, d]) => [
    [points[a]!, points[b]!, points[c]!],
    [points[a]!, points[c]!, points[d]!],
  ])
}

/** Two boxes apart from each other: a red one and a blue one. */
export const boxes = [
  { name: 'red', colour: [1, 0, 0], at: [0, 0, 0], sides: [10, 20, 30] },
  { name: 'blue', colour: [0, 0, 1], at: [25, 0, 0], sides: [5, 5, 5] },
] as const

export const two = [...block(boxes[0].at, boxes[0].sides), ...block(boxes[1].at, boxes[1].sides)]
export const paints = ['#ff0000', '#0000ff']

/** Both boxes as Wavefront OBJ with quads, and its materials. */
export const wavefront = () => ({
  obj: `mtllib in.mtl\n${boxes
    .map(({ name, at, sides }, index) => {
      const points = corners(at, sides).map((point) => `v ${point.join(' ')}\n`)
      const quads = faces.map((face) => `f ${face.map((corner) => corner + 1 + 8 * index).join(' ')}\n`)
      return `o ${name}\n${points.join('')}usemtl ${name}\n${quads.join('')}`
    })
    .join('')}`,
  mtl: boxes.map(({ name, colour }) => `newmtl ${name}\nKd ${colour.join(' ')}\n`).join(''),
})

/** AMF: an object for each box. */
export const amf = () => {
  const objects = boxes.map(({ at, sides }, id) => {
    const vertices = corners(at, sides).map(
      ([x, y, z]) => `<vertex><coordinates><x>${x}</x><y>${y}</y><z>${z}</z></coordinates></vertex>`,
    )
    const halves = faces.flatMap(([a, b, c, d]) => [
      [a, b, c],
      [a, c, d],
    ])
    const volume = halves.map(([a, b, c]) => `<triangle><v1>${a}</v1><v2>${b}</v2><v3>${c}</v3></triangle>`)
    return `<object id="${id}"><mesh><vertices>${vertices.join('')}</vertices><volume>${volume.join('')}</volume></mesh></object>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<amf unit="millimeter">${objects.join('')}</amf>\n`
}

/** By Assimp, which writes both boxes with its exporter `id`; `glb` has them in nodes that move and scale. */
export const byAssimp = (name: string, id: string, features: readonly string[] = [], glb?: () => Buffer): Specimen => {
  const from = name.slice(name.indexOf('.') + 1)
  return {
    ...{ name, from, maker: 'Assimp', features: [...features, 'box', 'volume', 'parts'] },
    truth: { ...truthOf(two), ...(features.includes('colours') && { colours: paints }) },
    make: async (output, scratch) => {
      const { obj, mtl } = wavefront()
      await writeFile(join(scratch, 'in.obj'), obj)
      await writeFile(join(scratch, 'in.mtl'), mtl)
      if (glb) await writeFile(join(scratch, 'in.glb'), glb())
      await program('assimp', 'export', join(scratch, glb ? 'in.glb' : 'in.obj'), output, `-f${id}`, '-tri')
    },
  }
}

/** A box with a square hole through it. */
const hollow = 'difference() { cube([10, 20, 30]); translate([2, 3, -1]) cube([3, 4, 32]); }\n'

/** By OpenSCAD. */
export const byOpenScad = (name: string): Specimen => ({
  ...{ name, from: name.slice(name.indexOf('.') + 1), maker: 'OpenSCAD', features: ['box', 'volume', 'parts'] },
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
  ...{ name, from: name.slice(name.indexOf('.') + 1), maker: 'FreeCAD', features: ['box', 'volume', 'parts'] },
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
  ...{ name, from: name.slice(name.indexOf('.') + 1), maker: 'Gmsh', features: ['box', 'volume'] },
  truth: { box: [10, 20, 30], volume: 10 * 20 * 30 - 5 * 5 * 30, parts: 1 },
  make: async (output, scratch) => {
    const geo =
      'SetFactory("OpenCASCADE");\nBox(1)={0,0,0,10,20,30};\nBox(2)={5,15,0,5,5,30};\nBooleanDifference(3)={Volume{1};Delete;}{Volume{2};Delete;};\n'
    await writeFile(join(scratch, 'in.geo'), geo)
    await program('gmsh', join(scratch, 'in.geo'), '-v', 1, '-clmax', 4, ...options, '-o', output)
  },
})
