/** Models whose objects are moved, turned and scaled by the nodes of a scene. */
import t from 'tap'
import { workshop } from '../vector/workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

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
    const [kind, end] = [bytes.readUInt16LE(at), at + bytes.readUInt32LE(at + 2)]
    if (kind === 0x4d4d || kind === 0x3d3d || kind === 0x4100) found.push(...vertices(bytes, at + 6, end))
    if (kind === 0x4000) found.push(...vertices(bytes, bytes.indexOf(0, at + 6) + 1, end))
    if (kind === 0x4110)
      for (let point = 0; point < bytes.readUInt16LE(at + 6); point++)
        found.push([0, 4, 8].map((part) => bytes.readFloatLE(at + 8 + 12 * point + part)))
  }
  return found
}

t.test('the vertices of 3ds are where the nodes put them', async (t) => {
  const { bytes } = await convert(scene(), 'gltf', '3ds')
  const places = vertices(bytes).map((point) => point.map((part) => part.toFixed(2)).join(' '))
  t.same([...new Set(places)].sort(), [
    ...['1.98 3.00 4.03', '2.00 3.00 4.00', '2.00 3.01 4.00'],
    ...['5.00 5.00 5.00', '5.00 7.00 7.00', '7.00 5.00 5.00'],
  ])
})
