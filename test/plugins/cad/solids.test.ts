import { readFileSync } from 'node:fs'
import t from 'tap'
import { openscad } from '../../../engines/openscad.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { human, workshop } from '../vector/workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, failure, catalogue, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Solids need an engine that is an extra. */
const extra = { skip: (catalogue.pairs.get('step>stl')?.methods.length ?? 0) === 0 && 'FreeCAD is not installed' }

t.test('without FreeCAD, pairs of solids are missing, and doctor names the package', async (t) => {
  const pairs = ['step>stl', 'iges>brep', 'stl>step', 'fcstd>png', 'scad>iges']
  const missing = new Set(catalogue.missing.map(({ from, to }) => `${from}>${to}`))
  for (const pair of pairs) t.equal(missing.has(pair), extra.skip !== false, pair)
  for (const { from, to, obstacles } of catalogue.missing)
    if (`${from}>${to}` === 'step>stl') t.match(obstacles.join(), /apt-get install freecad-python3/)
})

t.test('a flat program becomes outlines, a solid program becomes faces', async (t) => {
  const flat = 'difference() { square([40, 20]); translate([10, 5]) square(10); }'
  const dxf = (await convert(flat, 'scad', 'dxf')).bytes.toString('latin1')
  t.equal(dxf.match(/\n *0\r?\nLINE\r?\n/g)?.length, 8, 'four lines around, four around the hole')
  t.notMatch(dxf, '3DFACE')
  t.match((await convert(flat, 'scad', 'svg')).bytes.toString(), /width="40mm" height="20mm"/)
  const space = (await convert(readFileSync((await sample('scad')).path), 'scad', 'dxf')).bytes.toString('latin1')
  t.equal(space.match(/\n3DFACE\n/g)?.length, solid.triangles)
  for (const [program, to, said] of [
    [flat, 'stl', /flat shape.*linear_extrude.*SVG/],
    [flat, 'glb', /flat shape.*linear_extrude.*SVG/],
    ['// Nothing.\n', 'stl', /draws nothing/],
    ['// Nothing.\n', 'svg', /draws nothing/],
  ] as const) {
    const { code, message } = await failure(program, 'scad', to)
    t.equal(code, 'CONVERSION_ERROR')
    t.match(message, said, to)
  }
  const made = ['   Top level object is a 3D object:', 'Current top level object is not a 2D object.']
  t.equal(openscad.reason!(made), 'OpenSCAD cannot write the solid that the program makes')
})

t.test('a program that includes other files is refused, not converted without them', async (t) => {
  for (const program of [
    'use <gears.scad>\ncube(5);',
    'include <gears.scad>\ncube(5);',
    'cube(5); import("/etc/passwd");',
    'cube(5); import("part.stl");',
    'cube(5); surface("heights.dat");',
  ])
    for (const to of ['stl', 'svg', 'dxf']) {
      const { code, message } = await failure(program, 'scad', to)
      t.equal(code, 'CONVERSION_ERROR', `${program} to ${to}`)
      t.match(message, human)
    }
  t.match((await failure('use <gears.scad>\ncube(5);', 'scad', 'stl')).message, /other files/)
})

t.test('damaged solids are refused', extra, async (t) => {
  for (const from of ['step', 'iges', 'brep', 'fcstd'] as const) {
    const whole = readFileSync((await sample(from)).path)
    for (const bytes of [Buffer.from('This is no model at all. '.repeat(40)), whole.subarray(0, whole.length / 3)]) {
      const { code, message } = await failure(bytes, from, 'stl')
      t.equal(code, 'CONVERSION_ERROR', from)
      t.match(message, human, from)
    }
  }
})

t.test('the number of triangles that become faces is limited', extra, async (t) => {
  const count = 20_001
  const many = Buffer.alloc(84 + 50 * count)
  many.writeUInt32LE(count, 80)
  for (let at = 0; at < count; at++)
    for (const [part, number] of [at, 0, 0, at + 0.5, 0, 0, at, 1, 0].entries())
      many.writeFloatLE(number, 96 + 50 * at + 4 * part)
  const { code, message } = await failure(many, 'stl', 'step')
  t.equal(code, 'RESOURCE_LIMIT')
  t.match(message, /20001 triangles; at most 20000/)
})

t.test('a FreeCAD document shows visible shapes in their positions', extra, async (t) => {
  const text = (await convert(readFileSync((await sample('fcstd')).path), 'fcstd', 'obj')).bytes.toString()
  const xs = [...text.matchAll(/^v +([-\d.e]+)/gm)].map(([, x]) => Number(x))
  t.strictSame([Math.min(...xs), Math.max(...xs)], [12, 42], 'moved by 7, and once')
})
