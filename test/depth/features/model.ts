import { readFile } from 'node:fs/promises'
import { readCurved } from '../../matrix/model-programs.ts'
import { readModel } from '../../matrix/models.ts'
import { measure, type Shape } from '../../matrix/shape.ts'
import type { Feature, Subject } from '../family.ts'
import { isSource, once } from '../sight.ts'
import { allNear, among, instead, lacks } from './compare.ts'

const meshes = '3ds 3mf amf brep dae fbx glb gltf iges obj off ply step stl x3d'.split(' ')

const shapeOf = once(async (subject): Promise<Shape> => {
  const { path, format } = subject
  const isSolid = isSource(subject) && ['step', 'iges', 'brep'].includes(format)
  const shape = await (isSolid ? readCurved(path) : readModel(path, format))
  if (shape.length === 0) throw new Error('no triangles')
  const scale = isSource(subject) ? await unitOf(subject) : 1
  return shape.map((facet) => facet.map((point) => point.map((part) => part * scale)))
})

/** Factor by which docs/fidelity.md scales the numbers of a source: AMF becomes millimetres, COLLADA metres. */
async function unitOf({ path, format }: Subject): Promise<number> {
  if (format !== 'amf' && format !== 'dae') return 1
  const text = await readFile(path, 'utf8')
  if (format === 'dae') return Number(/<unit\s[^>]*meter="([^"]+)"/.exec(text)?.[1] ?? 1)
  return /<amf\s[^>]*unit="inch"/.test(text) ? 25.4 : 1
}

/** Sides of the bounding box, the shortest first, within half a hundredth. */
const box: Feature<readonly number[]> = {
  name: 'box',
  rule: among(meshes),
  read: async (subject) => measure(await shapeOf(subject)).box,
  differs: (wanted, got) => (allNear(wanted, got, (side) => side * 0.005) ? undefined : instead(wanted, got)),
}

/** Colours of materials as `#rrggbb`, in files that name them. */
const palettes: Readonly<Record<string, (bytes: Buffer) => number[][]>> = {
  glb: (bytes) => materials(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12))),
  gltf: (bytes) => materials(bytes.toString()),
  dae: (bytes) => found(bytes, /<diffuse>\s*<color[^>]*>([^<]*)</g),
  x3d: (bytes) => found(bytes, /diffuseColor="([^"]*)"/g),
  fbx: (bytes) => found(bytes, /"DiffuseColor", "Color", "", "A", ?([^\n]*)/g),
  '3ds': chunks,
}

const numbers = (text: string) => (text.match(/-?[\d.]+(e-?\d+)?/gi) ?? []).map(Number)
const found = (bytes: Buffer, pattern: RegExp) =>
  [...bytes.toString('latin1').matchAll(pattern)].map(([, text]) => numbers(text!).slice(0, 3))
const materials = (text: string) =>
  ((JSON.parse(text).materials ?? []) as any[]).map(
    (material) => (material.pbrMetallicRoughness?.baseColorFactor ?? [1, 1, 1]).slice(0, 3) as number[],
  )

/** Diffuse colours (chunk 0xA020) of 3D Studio materials, in bytes or floats. */
function chunks(bytes: Buffer): number[][] {
  const colours: number[][] = []
  const walk = (start: number, end: number, inside: boolean) => {
    for (let at = start; at + 6 <= end; at += Math.max(6, bytes.readUInt32LE(at + 2))) {
      const id = bytes.readUInt16LE(at)
      const last = Math.min(end, at + bytes.readUInt32LE(at + 2))
      if ([0x4d4d, 0x3d3d, 0xafff].includes(id)) walk(at + 6, last, false)
      else if (id === 0xa020) walk(at + 6, last, true)
      else if (inside && id === 0x0010) colours.push([0, 4, 8].map((part) => bytes.readFloatLE(at + 6 + part)))
      else if (inside && id === 0x0011) colours.push([0, 1, 2].map((part) => bytes[at + 6 + part]! / 255))
    }
  }
  walk(0, bytes.length, false)
  return colours
}

const colours: Feature<readonly string[]> = {
  name: 'colours',
  rule: among(Object.keys(palettes), meshes),
  documented: 'Other models have no colours',
  read: async ({ path, format }) => {
    const read = palettes[format]
    const seen = read ? read(await readFile(path)) : []
    const named = seen.map((parts) => `#${Buffer.from(parts.map((part) => Math.round(part * 255))).toString('hex')}`)
    // Writers give a grey to models without materials.
    return named.some((name) => !/^#(..)\1\1$/.test(name)) ? named : undefined
  },
  differs: (wanted, got) => lacks(wanted, got),
}

/** Features of models. Volume and outline are compared by the matrix. */
export const modelFeatures: readonly Feature[] = [box, colours]
