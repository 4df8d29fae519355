/** Writes the building in an IFC as GLB, in metres, with its colours: `ifc.ts INPUT.ifc OUTPUT.glb`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { refuse } from '../refusal/refusal.ts'
import { writeGlb } from './glb.ts'

/** What we use of web-ifc, which is not a module that Node can import. */
interface Reader {
  Init(): Promise<void>
  SetLogLevel(level: number): void
  OpenModel(data: Uint8Array, settings: object): number
  StreamAllMeshes(model: number, each: (mesh: { expressID: number; geometries: List<Placed> }) => void): void
  GetLine(model: number, id: number): { Name?: { value?: unknown } | null }
  GetGeometry(model: number, id: number): Geometry
  GetVertexArray(at: number, size: number): Float32Array
  GetIndexArray(at: number, size: number): Uint32Array
}

interface List<T> {
  get(at: number): T
  size(): number
}

interface Placed {
  geometryExpressID: number
  color: { x: number; y: number; z: number; w: number }
  flatTransformation: number[]
}

interface Geometry {
  GetVertexData(): number
  GetVertexDataSize(): number
  GetIndexData(): number
  GetIndexDataSize(): number
  delete(): void
}

/** The level at which web-ifc logs nothing. */
const SILENT = 6
const CIRCLE_SEGMENTS = 48
/** Types of numbers in glTF 2.0, 5.1.1. */
const FLOAT = 5126
const INTEGER = 5125
/** Numbers of a corner: its place, and the direction in which its face looks. */
const CORNER = 6

const { IfcAPI } = createRequire(import.meta.url)('web-ifc') as { IfcAPI: new () => Reader }
const [input, output] = process.argv.slice(2) as [string, string]

const chunks: Buffer[] = []
const bufferViews: object[] = []
const accessors: object[] = []
const materials: object[] = []
const meshes: object[] = []
const nodes: object[] = []
let length = 0

function view(data: Buffer, more: object = {}): number {
  bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.length, ...more })
  chunks.push(data)
  length += data.length
  return bufferViews.length - 1
}

/** Accessors of the corners and triangles of a shape; nothing if it has none. */
function shape(vertices: Float32Array, indices: Uint32Array) {
  if (vertices.length === 0 || indices.length === 0) return undefined
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let at = 0; at < vertices.length; at += CORNER)
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis]!, vertices[at + axis]!)
      high[axis] = Math.max(high[axis]!, vertices[at + axis]!)
    }
  const corners = view(Buffer.from(Float32Array.from(vertices).buffer), { byteStride: 4 * CORNER })
  const faces = view(Buffer.from(Uint32Array.from(indices).buffer))
  const common = { componentType: FLOAT, count: vertices.length / CORNER, type: 'VEC3', bufferView: corners }
  const first = accessors.push({ ...common, min: low, max: high }) - 1
  accessors.push({ ...common, byteOffset: 12 })
  accessors.push({ componentType: INTEGER, count: indices.length, type: 'SCALAR', bufferView: faces })
  return { attributes: { POSITION: first, NORMAL: first + 1 }, indices: first + 2 }
}

/** The same from the second time on. */
function once<T>(make: () => T, known: Map<string, T>, key: string): T {
  if (!known.has(key)) known.set(key, make())
  return known.get(key) as T
}

async function read() {
  const reader = new IfcAPI()
  await reader.Init()
  reader.SetLogLevel(SILENT)
  const model = reader.OpenModel(readFileSync(input), { COORDINATE_TO_ORIGIN: false, CIRCLE_SEGMENTS })
  const shapes = new Map<string, ReturnType<typeof shape>>()
  const paints = new Map<string, number>()
  const known = new Map<string, number>()
  reader.StreamAllMeshes(model, ({ expressID, geometries }) => {
    const name = reader.GetLine(model, expressID).Name?.value
    for (let at = 0; at < geometries.size(); at++) {
      const { geometryExpressID: id, color, flatTransformation: matrix } = geometries.get(at)
      const primitive = once(() => shapeOf(reader, model, id), shapes, String(id))
      if (!primitive || !matrix.every(Number.isFinite)) continue
      const paint = [color.x, color.y, color.z, color.w]
      const material = once(() => materials.push(materialOf(paint)) - 1, paints, paint.join())
      const primitives = [{ ...primitive, material }]
      const mesh = once(() => meshes.push({ primitives }) - 1, known, `${id} ${material}`)
      nodes.push({ mesh, matrix: [...matrix], ...(typeof name === 'string' && { name }) })
    }
  })
}

function shapeOf(reader: Reader, model: number, id: number) {
  const geometry = reader.GetGeometry(model, id)
  const vertices = reader.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize())
  const indices = reader.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize())
  const found = shape(vertices, indices)
  geometry.delete()
  return found
}

const materialOf = (paint: number[]) => ({
  pbrMetallicRoughness: { baseColorFactor: paint, metallicFactor: 0, roughnessFactor: 1 },
  doubleSided: true,
  ...(paint[3]! < 1 && { alphaMode: 'BLEND' }),
})

try {
  await read()
} catch {
  refuse('The model is damaged, incomplete or of an unsupported kind')
}
if (nodes.length === 0) refuse('The model holds no faces')
const json = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: nodes.map((_, at) => at) }],
  buffers: [{ byteLength: length }],
  nodes,
  meshes,
  materials,
  accessors,
  bufferViews,
}
writeFileSync(output, writeGlb({ json: json as Parameters<typeof writeGlb>[0]['json'], binary: Buffer.concat(chunks) }))
// Exit at once: the library keeps timers.
process.exit()
