import { refuse } from '../refusal/refusal.ts'

/** What we read of a buffer view (glTF 2.0, section 3.6). */
export interface BufferView {
  buffer?: number
  byteOffset?: number
  byteLength: number
}

/** A glTF scene and its binary buffer. */
export interface Scene {
  json: { bufferViews?: BufferView[]; buffers?: { uri?: string; byteLength: number }[] }
  binary: Buffer
}

const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942

/** Reads a GLB (glTF 2.0, section 4.4). */
export function readGlb(bytes: Buffer): Scene {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF' || bytes.readUInt32LE(4) !== 2)
    refuse('The model is not a GLB of version 2')
  const chunks = new Map<number, Buffer>()
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at)) {
    const length = bytes.readUInt32LE(at)
    if (at + 8 + length > bytes.length) refuse('The model is incomplete')
    if (!chunks.has(bytes.readUInt32LE(at + 4)))
      chunks.set(bytes.readUInt32LE(at + 4), bytes.subarray(at + 8, at + 8 + length))
  }
  try {
    const json = JSON.parse(chunks.get(JSON_CHUNK)?.toString() ?? '')
    if (typeof json !== 'object' || json === null) refuse('The model is damaged')
    return { json, binary: chunks.get(BINARY_CHUNK) ?? Buffer.alloc(0) }
  } catch {
    return refuse('The model is damaged')
  }
}

/** Writes a GLB. Chunks are padded to multiples of four bytes. */
export function writeGlb({ json, binary }: Scene): Buffer {
  const text = Buffer.from(JSON.stringify(json))
  const chunk = (type: number, content: Buffer, filling: string) => {
    const rest = Buffer.alloc(-content.length & 3, filling)
    const head = Buffer.alloc(8)
    head.writeUInt32LE(content.length + rest.length, 0)
    head.writeUInt32LE(type, 4)
    return [head, content, rest]
  }
  const chunks = [...chunk(JSON_CHUNK, text, ' '), ...(binary.length > 0 ? chunk(BINARY_CHUNK, binary, '\0') : [])]
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(head.length + Buffer.concat(chunks).length, 8)
  return Buffer.concat([head, ...chunks])
}

/** glTF in one file, with the binary buffer as a data URI. */
export function gltf(bytes: Buffer): string {
  const { json, binary } = readGlb(bytes)
  const [first] = json.buffers ?? []
  if (first && first.uri === undefined)
    first.uri = `data:application/octet-stream;base64,${binary.subarray(0, first.byteLength).toString('base64')}`
  return JSON.stringify(json)
}
