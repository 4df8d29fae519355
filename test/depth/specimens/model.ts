import { writeFile } from 'node:fs/promises'
import { models } from '../../fixtures/models.ts'
import { facets } from '../../fixtures/solid.ts'
import type { Specimen } from '../family.ts'
import { inFile } from '../saved.ts'
import { truthOf } from '../shape.ts'
import { byAssimp, byFreeCad, byGmsh, byOpenScad, paints, two } from './model-scenes.ts'

const angle = truthOf(facets())
const times = (factor: number) =>
  truthOf(facets().map((facet) => facet.map((point) => point.map((part) => part * factor))))
const plain = (format: string, maker = 'hand'): Specimen => ({
  name: `angle.${format}`,
  from: format,
  maker,
  features: ['box', 'volume', 'parts'],
  truth: angle,
  make: models[format]!.make,
})
const solid = (name: string, truth: object, more: readonly string[] = []) =>
  inFile('model', name, truth, ['box', 'volume', 'parts', ...more])
const scad = (name: string, text: string, truth: object): Specimen => ({
  name,
  from: 'scad',
  maker: 'hand',
  features: ['box', 'volume', 'parts'],
  truth: { ...truth },
  make: (output) => writeFile(output, text),
})

const project = 'doc.saveAs(out + ".FCStd")\nimport os\nos.rename(out + ".FCStd", out)'
const tube =
  'part.Shape = Part.makeBox(10, 20, 30).cut(Part.makeCylinder(3, 30, FreeCAD.Vector(5, 5, 0)))\ndoc.recompute()\n'
const tubeTruth = { box: [10, 20, 30], volume: 6000 - Math.PI * 9 * 30, parts: 1 }

/** Specimens of models. */
export const modelSpecimens: readonly Specimen[] = [
  ...Object.keys(models).map((format) => plain(format, format === 'fbx' ? 'Assimp' : 'hand')),
  byAssimp('two.3ds', '3ds', ['colours']),
  byAssimp('two.3mf', '3mf'),
  byAssimp('two.dae', 'collada', ['colours']),

  byAssimp('text.fbx', 'fbxa', ['colours']),
  byAssimp('nodes.fbx', 'fbxa', ['colours'], 'nodes.glb'),
  byAssimp('two.glb', 'glb2', ['colours']),

  byAssimp('two.obj', 'objnomtl'),
  byAssimp('two.ply', 'plyb'),
  byAssimp('two.stl', 'stlb'),
  byAssimp('two.x', 'x'),
  byAssimp('two.x3d', 'x3d'),
  byAssimp('two.step', 'stp'),
  ...['hollow.stl', 'hollow.off', 'hollow.amf', 'hollow.3mf'].map(byOpenScad),
  byFreeCad('round.step', 'Part.export([part], out)'),
  byFreeCad('round.iges', 'Part.export([part], out)'),
  byFreeCad('round.brep', 'shape.exportBrep(out)'),
  byFreeCad('round.fcstd', project),
  byFreeCad('tube.fcstd', tube + project, tubeTruth),
  byFreeCad('tube.iges', `${tube}Part.export([part], out)`, tubeTruth),
  ...['obj', 'ply', 'off', 'stl'].map((format) => byFreeCad(`round.${format}`, 'mesh().write(out)')),
  byGmsh('cut.step', ['-0']),
  byGmsh('cut.brep', ['-0']),
  byGmsh('cut.stl', ['-2']),
  byGmsh('cut.x3d', ['-2']),
  ...['text.stl', 'split.3mf', 'old.blend', 'packed.blend', 'four.ifc'].map((name) => solid(name, angle)),
  solid('inch.step', times(10)),
  solid('millimetres.ifc', times(0.001)),
  scad(
    'two.scad',
    'for (one = [[0, [10, 20, 30]], [25, [5, 5, 5]]]) translate([one[0], 0, 0]) cube(one[1]);\n',
    truthOf(two),
  ),
  scad(
    'round.scad',
    'module rod(r, h = 30) { cylinder(r = r, h = h, $fn = 96); }\nrod(10);\ntranslate([25, -5, 0]) cube(10);\n',
    { box: [20, 30, 45], volume: 10_425, parts: 2 },
  ),
  ...['kids.ac', 'quads.ac', 'two.ase', 'crlf.ase', 'quads.lwo', 'triangles.lwo', 'objects.amf', 'moved.dae']
    .concat('meshes.3ds', 'frames.x', 'quads.obj')
    .map((name) => solid(name, truthOf(two))),
  // Their nodes move and scale one cube.
  ...['nodes.gltf', 'indented.gltf', 'nodes.glb'].map((name) =>
    solid(name, { ...truthOf(two), colours: paints }, ['colours']),
  ),
]
