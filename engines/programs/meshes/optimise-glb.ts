import { createHash } from 'node:crypto'
import { refuse } from '../refusal/refusal.ts'
import { type BufferView, readGlb, writeGlb } from './glb.ts'

/**
 * Makes a GLB smaller: merges equal buffer views, and removes bytes that no view uses. Views keep their order, and
 * start at multiples of eight bytes, which is enough for every component type.
 */
export function optimiseGlb(bytes: Buffer): Buffer {
  const { json, binary } = readGlb(bytes)
  const views = json.bufferViews ?? []
  // Scenes with several or external buffers are not changed.
  const [only, ...others] = json.buffers ?? []
  if (!only || others.length > 0 || only.uri !== undefined) return writeGlb({ json, binary })

  const used = new Set<number>()
  visit(json, (holder) => used.add(holder.bufferView))
  const packed: BufferView[] = []
  const parts: Buffer[] = []
  const places = new Map<number, number>()
  const known = new Map<string, number>()
  let length = 0
  for (const [index, view] of views.entries()) {
    if (!used.has(index)) continue
    const { buffer = 0, byteOffset = 0, byteLength, ...rest } = view
    const content = binary.subarray(byteOffset, byteOffset + byteLength)
    if (buffer !== 0 || content.length !== byteLength) refuse('The model is incomplete')
    const key = createHash('sha256').update(content).update(JSON.stringify(rest)).digest('base64')
    const before = known.get(key)
    places.set(index, before ?? packed.length)
    if (before !== undefined) continue
    known.set(key, packed.length)
    const gap = -length & 7
    parts.push(Buffer.alloc(gap), content)
    packed.push({ buffer: 0, ...(length + gap > 0 && { byteOffset: length + gap }), byteLength, ...rest })
    length += gap + content.length
  }
  visit(json, (holder) => (holder.bufferView = places.get(holder.bufferView)!))
  if (packed.length === 0) return writeGlb({ json, binary })
  json.bufferViews = packed
  only.byteLength = length
  return writeGlb({ json, binary: Buffer.concat(parts) })
}

/** Finds every reference to a buffer view in a scene, also in extensions. */
function visit(value: unknown, found: (holder: { bufferView: number }) => void): void {
  const waiting = [value]
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if ('bufferView' in next && Number.isInteger(next.bufferView)) found(next as { bufferView: number })
    waiting.push(...Object.values(next))
  }
}
