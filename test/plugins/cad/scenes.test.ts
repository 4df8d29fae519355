/** What hides what, files of Blender, and programs of OpenSCAD. */
import { readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { openscad } from '../../../engines/openscad.ts'
import { stored } from '../../fixtures/files.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { bare } from '../bare.ts'
import { human } from '../image/pictures.ts'
import { measured } from './measured.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['cad', 'vector'])

/** The solid as a Blender scene of a version. */
const blend = (version = 303) => stored(`solid-${version}.blend`)

type Point = readonly [x: number, y: number, z: number]

const stl = (triangles: readonly (readonly Point[])[]) =>
  `solid model\n${triangles
    .map((points) => points.map((point) => `vertex ${point.join(' ')}`).join('\n'))
    .map((vertices) => `facet normal 0 0 0\nouter loop\n${vertices}\nendloop\nendfacet\n`)
    .join('')}endsolid model\n`

t.test('small shelves on a large wall are painted after the wall', async (t) => {
  const wall: Point[] = [
    [0, 0, 0],
    [100, 0, 0],
    [100, 0, 100],
  ]
  const shelves = [30, 50, 70, 90].flatMap((x) =>
    [10, 30, 50, 70]
      .filter((z) => z < x)
      .map((z): Point[] => [
        [x, -1, z],
        [x + 5, -1, z],
        [x, -6, z],
      ]),
  )
  const svg = (await convert(Buffer.from(stl([wall, ...shelves])), 'stl>svg')).bytes.toString()
  const fills = [...svg.matchAll(/<polygon [^>]*fill="([^"]*)"/g)].map(([, fill]) => fill)
  t.equal(fills.length, 1 + shelves.length)
  t.equal(new Set(fills.slice(1)).size, 1, 'the shelves last')
  t.not(fills[0], fills[1])
})

/** A table of the frames behind them, as Blender writes it. */
function seekable(frames: readonly Buffer[], whole: readonly Buffer[]): Buffer {
  const numbers = frames.flatMap((frame, index) => [frame.length, whole[index]!.length])
  const table = Buffer.concat([Buffer.from(Uint32Array.from([...numbers, frames.length]).buffer), Buffer.alloc(5)])
  table.writeUInt32LE(0x8f92eab1, table.length - 4)
  return Buffer.concat([...frames, Buffer.from(Uint32Array.from([0x184d2a5e, table.length]).buffer), table])
}

t.test('Blender scenes are read with and without normals, compressed or not', async (t) => {
  const parts = [blend().subarray(0, 1000), blend().subarray(1000)]
  const compressed = parts.map((part) => zstdCompressSync(part))
  const scenes = {
    'older than 3.1': blend(279),
    gzip: gzipSync(blend(279)),
    'zstd in frames': seekable(compressed, parts),
  }
  for (const [name, scene] of Object.entries(scenes))
    t.same(await measured((await convert(scene, 'blend>stl')).bytes, 'stl'), solid, name)
  t.same(await measured((await convert(zstdCompressSync(blend()), 'blend>obj')).bytes, 'obj'), solid, 'zstd')
})

t.test('scenes that cannot be read, or contain no mesh, fail', async (t) => {
  const changed = (name: string, past: number, bytes: Buffer) => {
    const scene = blend()
    bytes.copy(scene, scene.indexOf(name) + past)
    return scene
  }
  const twice = Buffer.from(blend())
  // The faces of the mesh are where its vertices were.
  const [corners, faces] = [5, 7].map((at) => Buffer.from(Uint32Array.from([at * 65_536, 0]).buffer)) as [
    Buffer,
    Buffer,
  ]
  corners.copy(twice, twice.lastIndexOf(faces))
  const scenes: [Buffer, RegExp][] = [
    [blend(400), /3\.5 or later/],
    [twice, /3\.5 or later/],
    [blend().subarray(0, 900), /damaged/],
    [zstdCompressSync(blend()).subarray(0, 500), /damaged/],
    [changed('OBangle', 68, Buffer.from([2])), /no triangles/],
    [changed('MEangle', 68, Buffer.alloc(20)), /no triangles/],
  ]
  for (const [scene, reason] of scenes) {
    const { code, message } = await failure(scene, 'blend>glb')
    t.equal(code, 'CONVERSION_ERROR')
    t.match(message, reason)
  }
})

/** Programs of OpenSCAD. */
const made = (source: string, pair: string) => convert(Buffer.from(source), pair)
const failed = (source: string, pair: string) => failure(Buffer.from(source), pair)

t.test('a flat program becomes outlines, a solid program becomes faces', async (t) => {
  const flat = 'difference() { square([40, 20]); translate([10, 5]) square(10); }'
  const dxf = (await made(flat, 'scad>dxf')).bytes.toString('latin1')
  t.equal(dxf.match(/\n *0\r?\nLINE\r?\n/g)?.length, 8, 'four lines around, four around the hole')
  t.notMatch(dxf, '3DFACE')
  t.match((await made(flat, 'scad>svg')).bytes.toString(), /width="40mm" height="20mm"/)
  const space = (await made(readFileSync((await sample('scad')).path, 'utf8'), 'scad>dxf')).bytes.toString('latin1')
  t.equal(space.match(/\n3DFACE\n/g)?.length, solid.triangles)
  for (const [program, to, said] of [
    [flat, 'stl', /flat shape.*linear_extrude.*SVG/],
    ['// Nothing.\n', 'stl', /draws nothing/],
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
    'cube(5); import("/etc/passwd");',
    'cube(5); surface("heights.dat");',
  ])
    t.match(await failed(program, 'scad>stl'), { code: 'CONVERSION_ERROR', message: human }, program)
  t.equal((await failed('cube(5); import("part.stl");', 'scad>svg')).code, 'CONVERSION_ERROR')
  t.match((await failed('use <gears.scad>\ncube(5);', 'scad>stl')).message, /other files/)
})
