import t from 'tap'
import { openscad } from '../../../engines/openscad.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { studio } from '../../harness/studio.ts'
import { human } from '../image/pictures.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, machine, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const made = (source: string, pair: string) => convert(Buffer.from(source), pair)
const failed = (source: string, pair: string) => failure(Buffer.from(source), pair)
/** Solids need an engine that is an extra. */
const missingFreeCad = (machine.catalogue.pairs.get('step>stl')?.methods.length ?? 0) === 0

t.test('without FreeCAD, pairs of solids are missing, and doctor names the package', async (t) => {
  const pairs = ['step>stl', 'iges>brep', 'stl>step', 'fcstd>png', 'scad>iges']
  const missing = new Set(machine.catalogue.missing.map(({ from, to }) => `${from}>${to}`))
  for (const pair of pairs) t.equal(missing.has(pair), missingFreeCad, pair)
  for (const { from, to, obstacles } of machine.catalogue.missing)
    if (`${from}>${to}` === 'step>stl') t.match(obstacles.join(), /apt-get install freecad-python3/)
})

t.test('a flat program becomes outlines, a solid program becomes faces', async (t) => {
  const flat = 'difference() { square([40, 20]); translate([10, 5]) square(10); }'
  const dxf = (await made(flat, 'scad>dxf')).bytes.toString('latin1')
  t.equal(dxf.match(/\n *0\r?\nLINE\r?\n/g)?.length, 8, 'four lines around, four around the hole')
  t.notMatch(dxf, '3DFACE')
  t.match((await made(flat, 'scad>svg')).bytes.toString(), /width="40mm" height="20mm"/)
  const space = (await convert((await sample('scad')).path, 'scad>dxf')).bytes.toString('latin1')
  t.equal(space.match(/\n3DFACE\n/g)?.length, solid.triangles)
  for (const [program, to, said] of [
    [flat, 'stl', /flat shape.*linear_extrude.*SVG/],
    [flat, 'glb', /flat shape.*linear_extrude.*SVG/],
    ['// Nothing.\n', 'stl', /draws nothing/],
    ['// Nothing.\n', 'svg', /draws nothing/],
  ] as const) {
    const { code, message } = await failed(program, `scad>${to}`)
    t.equal(code, 'CONVERSION_ERROR')
    t.match(message, said, to)
  }
  const said = ['   Top level object is a 3D object:', 'Current top level object is not a 2D object.']
  t.equal(openscad.reason!(said), 'OpenSCAD cannot write the solid that the program makes')
})

t.test('a program that includes other files is refused, not converted without them', async (t) => {
  for (const program of [
    'use <gears.scad>\ncube(5);',
    'include <gears.scad>\ncube(5);',
    'cube(5); import("/etc/passwd");',
    'cube(5); import("part.stl");',
    'cube(5); surface("heights.dat");',
  ])
    t.match(await failed(program, 'scad>stl'), { code: 'CONVERSION_ERROR', message: human }, program)
  t.equal((await failed('cube(5); import("part.stl");', 'scad>svg')).code, 'CONVERSION_ERROR')
  t.match((await failed('use <gears.scad>\ncube(5);', 'scad>stl')).message, /other files/)
})
