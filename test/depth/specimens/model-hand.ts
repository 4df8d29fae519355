import type { Specimen } from '../family.ts'
import { truthOf } from '../shape.ts'
import { amf, boxes, corners, faces, paints, two } from './model-scenes.ts'

const scenes = boxes.map((box) => ({ ...box, points: corners(box.at, box.sides) }))
const rows = (lists: readonly (readonly number[])[], between = '\n') =>
  lists.map((list) => list.join(' ')).join(between)
const triangles = faces.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
])

/** AC3D: each box is a kid of the world, at its place. */
const ac = (moved: boolean) => {
  const kids = boxes.map(({ name, at, sides }) => {
    const surfaces = faces.map((face) => `SURF 0x0\nmat 0\nrefs 4\n${face.map((corner) => `${corner} 0 0`).join('\n')}`)
    const points = corners(moved ? [0, 0, 0] : at, sides)
    return `OBJECT poly\nname "${name}"\n${moved ? `loc ${at.join(' ')}\n` : ''}numvert 8\n${rows(points)}\nnumsurf 6\n${surfaces.join('\n')}\nkids 0\n`
  })
  return `AC3Db\nMATERIAL "white" rgb 1 1 1 amb 0.2 0.2 0.2 emis 0 0 0 spec 0.5 0.5 0.5 shi 10 trans 0\nOBJECT world\nkids ${kids.length}\n${kids.join('')}`
}

/** 3ds Max's text export. */
const ase = (lineEnd: string) => {
  const objects = scenes.map(({ name, points }) =>
    [
      ...['*GEOMOBJECT {', `*NODE_NAME "${name}"`, '*NODE_TM {', `*NODE_NAME "${name}"`],
      ...['*TM_ROW0 1 0 0', '*TM_ROW1 0 1 0', '*TM_ROW2 0 0 1', '*TM_ROW3 0 0 0', '}', '*MESH {', '*TIMEVALUE 0'],
      ...['*MESH_NUMVERTEX 8', '*MESH_NUMFACES 12', '*MESH_VERTEX_LIST {'],
      ...points.map((point, index) => `*MESH_VERTEX ${index} ${point.join(' ')}`),
      ...['}', '*MESH_FACE_LIST {'],
      ...triangles.map(
        ([a, b, c], index) =>
          `*MESH_FACE ${index}: A: ${a} B: ${b} C: ${c} AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING 1 *MESH_MTLID 0`,
      ),
      ...['}', '}', '}'],
    ].join(lineEnd),
  )
  return ['*3DSMAX_ASCIIEXPORT 200', ...objects, ''].join(lineEnd)
}

const chunk = (name: string, content: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(name)
  head.writeUInt32BE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)])
}
const shorts = (...values: number[]) => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at)
  return bytes
}

/** LightWave: y points up, and vertices go clockwise. */
const lwo = (polygons: readonly (readonly number[])[]) => {
  const points = scenes.flatMap((scene) => scene.points)
  const places = Buffer.alloc(12 * points.length)
  for (const [at, number] of points.flat().entries()) places.writeFloatBE(number, 4 * at)
  const all = scenes.flatMap((_, index) => polygons.map((polygon) => polygon.map((corner) => corner + 8 * index)))
  const chunks = [
    chunk('TAGS', Buffer.from('plain\0')),
    chunk('LAYR', Buffer.alloc(18)),
    chunk('PNTS', places),
    chunk('POLS', Buffer.concat([Buffer.from('FACE'), ...all.map((polygon) => shorts(polygon.length, ...polygon))])),
    chunk('PTAG', Buffer.concat([Buffer.from('SURF'), ...all.map((_, index) => shorts(index, 0))])),
    chunk('SURF', Buffer.from('plain\0\0\0')),
  ]
  return chunk('FORM', Buffer.concat([Buffer.from('LWO2'), ...chunks]))
}

/** glTF: one cube of side 1, which the nodes scale and move; indices of 8 bits. */
function gltfScene(): { scene: object; binary: Buffer } {
  const places = Buffer.from(new Float32Array(corners([0, 0, 0], [1, 1, 1]).flat()).buffer)
  const binary = Buffer.concat([places, Buffer.from(triangles.flat())])
  const scene = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'both', children: [1, 2] },
      ...boxes.map(({ name, at, sides }, mesh) => ({ name, mesh, translation: at, scale: sides })),
    ],
    materials: boxes.map(({ name, colour }) => ({ name, pbrMetallicRoughness: { baseColorFactor: [...colour, 1] } })),
    meshes: boxes.map((_, material) => ({ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material }] })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5121, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 36 },
    ],
  }
  return { scene, binary }
}

const data = (binary: Buffer) => `data:application/octet-stream;base64,${binary.toString('base64')}`

function gltf(flat: boolean): string {
  const { scene, binary } = gltfScene()
  const text = { ...scene, buffers: [{ byteLength: binary.length, uri: data(binary) }] }
  return JSON.stringify(text, null, flat ? 0 : 2)
}

/** The same as GLB. */
export function glb(): Buffer {
  const { scene, binary } = gltfScene()
  const text = JSON.stringify({ ...scene, buffers: [{ byteLength: binary.length }] })
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))
  const head = Buffer.alloc(20)
  head.write('glTF')
  for (const [at, value] of [2, 28 + json.length + binary.length, json.length].entries())
    head.writeUInt32LE(value, 4 + 4 * at)
  head.write('JSON', 16)
  const middle = Buffer.alloc(8)
  middle.writeUInt32LE(binary.length)
  middle.write('BIN', 4)
  return Buffer.concat([head, json, middle, binary])
}

/** COLLADA: each box in a node of its own, moved there by `<translate>`. */
const dae = () => {
  const geometries = boxes.map(({ name, sides }) => {
    const points = rows(corners([0, 0, 0], sides), ' ')
    return `<geometry id="${name}"><mesh><source id="${name}-p"><float_array id="${name}-a" count="24">${points}</float_array><technique_common><accessor source="#${name}-a" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="${name}-v"><input semantic="POSITION" source="#${name}-p"/></vertices><polylist count="6"><input semantic="VERTEX" source="#${name}-v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>${rows(faces, ' ')}</p></polylist></mesh></geometry>`
  })
  const nodes = boxes.map(
    ({ name, at }) =>
      `<node id="n-${name}"><translate>${at.join(' ')}</translate><instance_geometry url="#${name}"/></node>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><created>2000-01-01T00:00:00</created><modified>2000-01-01T00:00:00</modified><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries>${geometries.join('')}</library_geometries><library_visual_scenes><visual_scene id="s">${nodes.join('')}</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
`
}

const long = (id: number, content: Buffer) => {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(id)
  head.writeUInt32LE(6 + content.length, 2)
  return Buffer.concat([head, content])
}
const count = (value: number) => Buffer.from([value & 255, value >> 8])

/** 3D Studio: two meshes. */
const threeDs = () => {
  const meshes = scenes.map(({ name, points }) => {
    const places = Buffer.from(new Float32Array(points.flat()).buffer)
    const corner = triangles.map((triangle) => Buffer.concat([...triangle.map(count), count(7)]))
    const mesh = [long(0x4110, Buffer.concat([count(8), places])), long(0x4120, Buffer.concat([count(12), ...corner]))]
    return long(0x4000, Buffer.concat([Buffer.from(`${name}\0`), long(0x4100, Buffer.concat(mesh))]))
  })
  return long(0x4d4d, long(0x3d3d, Buffer.concat(meshes)))
}

/** DirectX: each mesh in a frame that moves it. */
const x = () => {
  const frames = boxes.map(({ name, at, sides }) => {
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at, 1].map((number) => number.toFixed(6)).join(',')
    const points = corners([0, 0, 0], sides).map((point) => `${point.map((part) => part.toFixed(6)).join(';')};`)
    return `Frame ${name} {\nFrameTransformMatrix {\n${matrix};;\n}\nMesh {\n8;\n${points.join(',\n')};\n6;\n${faces.map((face) => `4;${face.join(',')};`).join(',\n')};\n}\n}\n`
  })
  return `xof 0303txt 0032\n${frames.join('')}`
}

type Written = (name: string, bytes: () => Buffer | string, truth?: object) => Specimen

/** Specimens of formats that few programs write. */
export const hand = (written: Written): Specimen[] => {
  const truth = truthOf(two)
  const painted = (one: Specimen): Specimen => ({
    ...one,
    features: [...one.features, 'colours'],
    truth: { ...one.truth, colours: paints },
  })
  return [
    ...[written('kids.ac', () => ac(true), truth), written('quads.ac', () => ac(false), truth)],
    ...[written('two.ase', () => ase('\n'), truth), written('crlf.ase', () => ase('\r\n'), truth)],
    ...[written('quads.lwo', () => lwo(faces), truth), written('triangles.lwo', () => lwo(triangles), truth)],
    ...[
      painted(written('nodes.gltf', () => gltf(true), truth)),
      painted(written('indented.gltf', () => gltf(false), truth)),
    ],
    painted(written('nodes.glb', glb, truth)),
    ...[
      written('objects.amf', amf, truth),
      written('moved.dae', dae, truth),
      written('meshes.3ds', threeDs, truth),
      written('frames.x', x, truth),
    ],
  ]
}
