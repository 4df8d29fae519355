import { readFileSync } from 'node:fs'
import { readGlb } from './glb.ts'

/** glTF in one file, with the binary buffer as a data URI. */
export function gltf(path: string): string {
  const { json, binary } = readGlb(readFileSync(path))
  const [first] = json.buffers ?? []
  if (first && first.uri === undefined)
    first.uri = `data:application/octet-stream;base64,${binary.subarray(0, first.byteLength).toString('base64')}`
  return JSON.stringify(json)
}
