/** Scenes: what hides what, nodes that move objects, and the files of Blender. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { blend } from '../../fixtures/blend.ts'
import { solid } from '../../fixtures/solid.ts'
import { studio } from '../../harness/studio.ts'
import { measured } from './measured.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

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

/** Two triangles of one mesh: a small one within a turned node, a large one by a matrix. */
function scene(): string {
  const buffer = Buffer.from(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 1]).buffer)
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 2] }],
    nodes: [
      { translation: [2, 3, 4], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], children: [1] },
      { mesh: 0, scale: [0.01, 0.02, 0.03] },
      { mesh: 0, matrix: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 5, 5, 1] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }],
    bufferViews: [{ buffer: 0, byteLength: buffer.length }],
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString('base64')}` }],
  })
}

/** The vertices of a 3DS as they are stored, which is how most programs take them. */
function vertices(bytes: Buffer, from = 0, to = bytes.length): number[][] {
  const found: number[][] = []
  for (let at = from; at + 6 <= to; at += bytes.readUInt32LE(at + 2)) {
    const kind = bytes.readUInt16LE(at)
    const end = at + bytes.readUInt32LE(at + 2)
    if (kind === 0x4d4d || kind === 0x3d3d || kind === 0x4100) found.push(...vertices(bytes, at + 6, end))
    if (kind === 0x4000) found.push(...vertices(bytes, bytes.indexOf(0, at + 6) + 1, end))
    if (kind === 0x4110)
      for (let point = 0; point < bytes.readUInt16LE(at + 6); point++)
        found.push([0, 4, 8].map((part) => bytes.readFloatLE(at + 8 + 12 * point + part)))
  }
  return found
}

t.test('the vertices of 3ds are where the nodes put them', async (t) => {
  const { bytes } = await convert(Buffer.from(scene()), 'gltf>3ds')
  const places = vertices(bytes).map((point) => point.map((part) => part.toFixed(2)).join(' '))
  t.same([...new Set(places)].sort(), [
    '1.98 3.00 4.03',
    '2.00 3.00 4.00',
    '2.00 3.01 4.00',
    '5.00 5.00 5.00',
    '5.00 7.00 7.00',
    '7.00 5.00 5.00',
  ])
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

t.test('each face of a scene has its normal', async (t) => {
  const { bytes } = await convert(blend(), 'blend>obj')
  const normals = [...bytes.toString().matchAll(/^vn +(.*)$/gm)].map(([, numbers]) => numbers!.split(/ +/).map(Number))
  t.ok(normals.length >= 6)
  for (const normal of normals) t.equal(Math.hypot(...normal).toFixed(3), '1.000')
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
    [Buffer.concat([Buffer.from('BLENDER17-01v0500'), blend().subarray(12)]), /3\.5 or later/],
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
