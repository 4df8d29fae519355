/** Decompresses a Blender scene and rewrites it in the form of version 3.0: `open.ts INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'
import { withNormals } from './normals.ts'
import { unpacked } from './unpack.ts'

/** Since this version, meshes are stored in a different way. */
const UNKNOWN = 400

/** Since this version, vertices have no normals. */
const WITHOUT_NORMALS = 301

function opened(bytes: Buffer): Buffer | undefined {
  // After the name come the pointer size, the byte order and the version; since 5.0, the size of the header.
  const version = /^BLENDER[-_][vV](\d{3})/.exec(bytes.toString('latin1', 0, 12))?.[1]
  if (version === undefined || Number(version) >= UNKNOWN) return
  return Number(version) >= WITHOUT_NORMALS ? withNormals(bytes) : bytes
}

const [input, output] = process.argv.slice(2) as [string, string]
try {
  const scene = opened(unpacked(readFileSync(input)))
  if (scene) writeFileSync(output, scene)
  else
    refuse(
      'Most scenes of Blender 3.5 or later cannot be read: export this one as glb, or save it with an earlier Blender',
    )
} catch (error) {
  const { code } = error as { code?: unknown }
  if (code === 'ERR_BUFFER_TOO_LARGE') refuse('The scene unpacks to more than 1 GiB', 'RESOURCE_LIMIT')
  console.error(error)
  refuse('The scene is damaged or incomplete')
}
