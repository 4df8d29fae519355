import { refuse } from '../refusal/refusal.ts'
import type { Scene } from './glb.ts'

type Numbers = number[]

interface Node {
  mesh?: number
  children?: number[]
  translation?: Numbers
  rotation?: Numbers
  scale?: Numbers
  extras?: unknown
  extensions?: { EXT_mesh_gpu_instancing?: { attributes: Record<string, number> }; [name: string]: unknown }
}

interface Accessor {
  bufferView?: number
  byteOffset?: number
  componentType: number
  count: number
}

/** What we change of a scene (glTF 2.0). */
interface Parts {
  nodes?: Node[]
  meshes?: { primitives: { mode?: number }[] }[]
  accessors?: Accessor[]
  bufferViews?: { byteOffset?: number; byteLength: number; byteStride?: number }[]
  extensions?: Record<string, unknown>
  extensionsUsed?: string[]
  extensionsRequired?: string[]
}

const TRIANGLES = 4
const MOST_COPIES = 100_000
/** Bytes of numbers by their type, and how they are read: as they are, or as parts of the largest (normalised). */
const readers: Readonly<Record<number, [size: number, read: (data: Buffer, at: number) => number]>> = {
  5120: [1, (data, at) => Math.max(data.readInt8(at) / 127, -1)],
  5122: [2, (data, at) => Math.max(data.readInt16LE(at) / 32_767, -1)],
  5126: [4, (data, at) => data.readFloatLE(at)],
}

/**
 * A scene as assimp reads it: without lights, which it stops at, and without points and lines, which meshes of
 * triangles cannot hold; with a node for each copy of a mesh (EXT_mesh_gpu_instancing).
 */
export function readableScene(scene: Scene): Scene {
  const json = scene.json as Parts
  if (!Array.isArray(json.nodes)) return scene
  for (const node of [...json.nodes]) {
    const copies = node.extensions?.EXT_mesh_gpu_instancing
    if (copies && node.mesh !== undefined) copy(node, copies.attributes, json, scene.binary)
    delete node.extensions
    delete node.extras
  }
  const dropped = ['KHR_lights_punctual', 'EXT_mesh_gpu_instancing']
  for (const name of dropped) delete json.extensions?.[name]
  for (const list of ['extensionsUsed', 'extensionsRequired'] as const) {
    if (!json[list]) continue
    json[list] = json[list].filter((name) => !dropped.includes(name))
    if (json[list].length === 0) delete json[list]
  }
  withoutLines(json)
  return scene
}

function withoutLines({ nodes = [], meshes = [] }: Parts) {
  const all = meshes.flatMap(({ primitives }) => primitives)
  const solid = ({ mode = TRIANGLES }) => mode >= TRIANGLES
  if (all.every(solid)) return
  if (!all.some(solid)) refuse('The model holds no faces')
  for (const mesh of meshes) mesh.primitives = mesh.primitives.filter(solid)
  const empty = (mesh?: number) => mesh !== undefined && meshes[mesh]?.primitives.length === 0
  for (const node of nodes) if (empty(node.mesh)) delete node.mesh
  // A mesh without primitives is invalid. Another one stands in for it, which nothing shows.
  const filled = meshes.find(({ primitives }) => primitives.length > 0)
  for (const mesh of meshes) if (mesh.primitives.length === 0 && filled) mesh.primitives = filled.primitives
}

function copy(node: Node, attributes: Record<string, number>, json: Parts, binary: Buffer) {
  const values = (name: string, size: number) =>
    attributes[name] === undefined ? undefined : read(json, binary, attributes[name], size)
  const moved = values('TRANSLATION', 3)
  const turned = values('ROTATION', 4)
  const scaled = values('SCALE', 3)
  const count = (moved ?? turned ?? scaled)?.length ?? 0
  const { nodes = [] } = json
  if (nodes.length + count > MOST_COPIES) refuse(`The model has more than ${MOST_COPIES} parts`, 'RESOURCE_LIMIT')
  const children = Array.from({ length: count }, (_, at) => {
    const place = { translation: moved?.[at], rotation: turned?.[at], scale: scaled?.[at] }
    return nodes.push({ mesh: node.mesh!, ...(JSON.parse(JSON.stringify(place)) as Node) }) - 1
  })
  node.children = [...(node.children ?? []), ...children]
  delete node.mesh
}

/** Groups of numbers. */
function read({ accessors = [], bufferViews = [] }: Parts, binary: Buffer, index: number, size: number): Numbers[] {
  const accessor = accessors[index]
  const view = bufferViews[accessor?.bufferView ?? -1]
  const [bytes, number] = readers[accessor?.componentType ?? 0] ?? []
  if (!accessor || !view || !bytes || !number) return refuse('The model is damaged')
  const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
  const step = view.byteStride ?? size * bytes
  if (!(accessor.count >= 0) || start + (accessor.count - 1) * step + size * bytes > binary.length)
    refuse('The model is incomplete')
  if (accessor.count > MOST_COPIES) refuse(`The model has more than ${MOST_COPIES} parts`, 'RESOURCE_LIMIT')
  return Array.from({ length: accessor.count }, (_, at) =>
    Array.from({ length: size }, (_, part) => number(binary, start + at * step + part * bytes)),
  )
}
