import { readFile } from 'node:fs/promises'
import { byAssimp, flatly, stl } from './model-programs.ts'
import { groups, indexed, type Shape } from './shape.ts'

const numbers = (text: string) =>
  text
    .trim()
    .split(/[\s,]+/)
    .map(Number)

function obj(text: string): Shape {
  const lines = text.split('\n').map((line) => line.trim())
  const points = lines.filter((line) => line.startsWith('v ')).flatMap((line) => numbers(line.slice(2)).slice(0, 3))
  const faces = lines.filter((line) => line.startsWith('f ')).map((line) => line.slice(2).trim().split(/\s+/))
  return indexed(
    points,
    faces.map((face) => face.map((corner) => Number.parseInt(corner, 10) - 1)),
  )
}

/** Binary PLY: points of floats and bytes, and faces with a list of 32-bit numbers as their only or last property. */
function ply(bytes: Buffer): Shape {
  const end = bytes.indexOf('end_header\n') + 11
  const head = bytes.toString('latin1', 0, end)
  const [vertices, faces] = ['vertex', 'face'].map((name) =>
    Number(new RegExp(`element ${name} (\\d+)`).exec(head)![1]),
  )
  const [ofVertex = ''] = head.split('element vertex')[1]!.split('element face')
  const kinds = [...ofVertex.matchAll(/property (\w+) (\w+)/g)]
  const sizes = kinds.map(([, kind]) => ({ float: 4, uchar: 1 })[kind!] ?? Number.NaN)
  const stride = sizes.reduce((sum, size) => sum + size, 0)
  const isPlain = kinds.slice(0, 3).every(([, kind]) => kind === 'float')
  if (!head.includes('binary_little_endian') || !stride || !isPlain) throw new Error('another kind of PLY')
  let at = end
  const points: number[] = []
  for (let vertex = 0; vertex < vertices!; vertex++, at += stride)
    points.push(...[0, 4, 8].map((offset) => bytes.readFloatLE(at + offset)))
  const found = Array.from({ length: faces! }, () => {
    const count = bytes[at]!
    const face = Array.from({ length: count }, (_, corner) => bytes.readInt32LE(at + 1 + 4 * corner))
    at += 1 + 4 * count
    return face
  })
  return indexed(points, found)
}

/** Scenes with one buffer, and nodes placed by matrices or translations, without rotation and scale. */
function scene(json: any, binary: Buffer): Shape {
  const accessor = (index: number): number[] => {
    const { bufferView, byteOffset = 0, componentType, count, type } = json.accessors[index]
    const view = json.bufferViews[bufferView]
    const width = type === 'VEC3' ? 3 : 1
    const [size, read] = (
      { 5126: [4, 'readFloatLE'], 5125: [4, 'readUInt32LE'], 5123: [2, 'readUInt16LE'], 5121: [1, 'readUInt8'] } as any
    )[componentType]
    const stride = view.byteStride ?? size * width
    return Array.from({ length: count * width }, (_, at) =>
      (binary as any)[read](
        (view.byteOffset ?? 0) + byteOffset + Math.floor(at / width) * stride + (at % width) * size,
      ),
    )
  }
  if (JSON.stringify(json.nodes).match(/"(translation|rotation|scale)"/)) throw new Error('nodes that are moved')
  const shape: Shape = []
  const walk = (index: number, above: (point: readonly number[]) => number[]) => {
    const { mesh, matrix: m, children = [] } = json.nodes[index]
    const place = m
      ? (p: readonly number[]) =>
          above([0, 1, 2].map((row) => m[row] * p[0]! + m[4 + row] * p[1]! + m[8 + row] * p[2]! + m[12 + row]))
      : above
    for (const { attributes, indices } of mesh === undefined ? [] : json.meshes[mesh].primitives)
      shape.push(
        ...indexed(accessor(attributes.POSITION), groups(accessor(indices), 3)).map((corners) => corners.map(place)),
      )
    for (const child of children) walk(child, place)
  }
  for (const node of json.scenes[json.scene ?? 0].nodes) walk(node, (point) => [...point])
  return shape
}

function glb(bytes: Buffer): Shape {
  if (bytes.readUInt32LE(8) !== bytes.length) throw new Error('the header has another length')
  const length = bytes.readUInt32LE(12)
  return scene(JSON.parse(bytes.toString('utf8', 20, 20 + length)), bytes.subarray(28 + length))
}

function gltf(text: string): Shape {
  const json = JSON.parse(text)
  const { uri, byteLength } = json.buffers[0]
  const binary = Buffer.from(uri.replace(/^data:[^,]*;base64,/, ''), 'base64')
  if (json.buffers.length !== 1 || binary.length !== byteLength) throw new Error('not in one file')
  return scene(json, binary)
}

/** Triangles or one list of polygons of every geometry, placed by the matrices of their nodes, at one level. */
function dae(text: string): Shape {
  const places = new Map<string, number[]>()
  for (const [, content] of text.matchAll(/<node\b([\s\S]*?)<\/node>/g)) {
    const matrix = /<matrix[^>]*>([^<]*)</.exec(content!)?.[1]
    for (const [, url] of content!.matchAll(/<instance_geometry url="#([^"]*)"/g))
      places.set(url!, matrix ? numbers(matrix) : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
  }
  return [...text.matchAll(/<geometry id="([^"]*)"([\s\S]*?)<\/geometry>/g)].flatMap(([, id, content]) => {
    const points = numbers(/<float_array id="[^"]*positions[^"]*"[^>]*>([^<]*)</.exec(content!)![1]!)
    const inputs = [...content!.matchAll(/<input [^>]*offset="(\d+)"/g)].map(([, offset]) => Number(offset))
    const corners = numbers(/<p>([^<]*)<\/p>/.exec(content!)![1]!)
    const stride = Math.max(...inputs) + 1
    const m = places.get(id!)
    if (!m) throw new Error(`geometry ${id} is nowhere`)
    const vertices = groups(corners, stride).map((corner) => corner[0]!)
    const counts = /<vcount>([^<]*)</.exec(content!)?.[1]
    return indexed(
      points,
      counts ? numbers(counts).map((count) => vertices.splice(0, count)) : groups(vertices, 3),
    ).map((facet) =>
      facet.map((p) =>
        [0, 4, 8].map((row) => m[row]! * p[0]! + m[row + 1]! * p[1]! + m[row + 2]! * p[2]! + m[row + 3]!),
      ),
    )
  })
}

/** Nested chunks: vertices (4110) and faces (4120) of each mesh. */
function threeDs(bytes: Buffer): Shape {
  const shape: Shape = []
  let points: number[] = []
  const walk = (start: number, end: number) => {
    for (let at = start; at + 6 <= end; at += bytes.readUInt32LE(at + 2)) {
      const id = bytes.readUInt16LE(at)
      const last = at + bytes.readUInt32LE(at + 2)
      if (id === 0x4d4d || id === 0x3d3d || id === 0x4100) walk(at + 6, last)
      else if (id === 0x4000) walk(bytes.indexOf(0, at + 6) + 1, last)
      else if (id === 0x4110)
        points = Array.from({ length: 3 * bytes.readUInt16LE(at + 6) }, (_, index) =>
          bytes.readFloatLE(at + 8 + 4 * index),
        )
      else if (id === 0x4120) {
        const count = bytes.readUInt16LE(at + 6)
        const face = (index: number) => [0, 2, 4].map((part) => bytes.readUInt16LE(at + 8 + 8 * index + part))
        shape.push(
          ...indexed(
            points,
            Array.from({ length: count }, (_, index) => face(index)),
          ),
        )
      }
    }
  }
  walk(0, bytes.length)
  return shape
}

/** Text FBX: points and vertices of each mesh. The last vertex of a face is stored as its complement. */
function fbx(text: string): Shape {
  return [
    ...text.matchAll(/Vertices: \*\d+ \{\s*a: ([^}]*)\}[\s\S]*?PolygonVertexIndex: \*\d+ \{\s*a: ([^}]*)\}/g),
  ].flatMap(([, points, corners]) => {
    const faces: number[][] = [[]]
    for (const corner of numbers(corners!)) {
      faces.at(-1)!.push(corner < 0 ? ~corner : corner)
      if (corner < 0) faces.push([])
    }
    return indexed(numbers(points!), faces.slice(0, -1))
  })
}

const binary = (read: (bytes: Buffer) => Shape) => async (path: string) => read(await readFile(path))
const text = (read: (text: string) => Shape) => async (path: string) => read(await readFile(path, 'utf8'))

const readers: Readonly<Record<string, (path: string, format: string) => Promise<Shape>>> = {
  stl: binary(stl),
  ply: binary(ply),
  glb: binary(glb),
  '3ds': binary(threeDs),
  obj: text(obj),
  gltf: text(gltf),
  dae: text(dae),
  fbx: text(fbx),
  off: byAssimp,
  '3mf': byAssimp,
  amf: byAssimp,
  x3d: byAssimp,
  dxf: byAssimp,
  step: flatly,
  iges: flatly,
  brep: flatly,
}

/** Reads a model with another program than its writer. Rejects if it cannot be read. */
export async function readModel(path: string, format: string): Promise<Shape> {
  const reader = readers[format]
  if (!reader) throw new Error(`no reader of ${format}`)
  return reader(path, format)
}
