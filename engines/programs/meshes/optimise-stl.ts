import { refuse } from '../refusal/refusal.ts'

const HEAD = 84
const FACET = 50

/** Binary STL without facets that have two equal vertices, and so no area. */
export function optimiseStl(bytes: Buffer): Buffer {
  const facets = isText(bytes) ? fromText(bytes) : fromBinary(bytes)
  const kept = facets.filter((facet) => {
    const [a, b, c] = [12, 24, 36].map((at) => facet.subarray(at, at + 12)) as [Buffer, Buffer, Buffer]
    return !a.equals(b) && !b.equals(c) && !c.equals(a)
  })
  if (kept.length === 0) refuse('The model contains no triangles')
  const head = Buffer.alloc(HEAD)
  // The first 80 bytes are free; some programs store colours there. They must not look like a text STL.
  if (!isText(bytes)) bytes.copy(head, 0, 0, 80)
  head.writeUInt32LE(kept.length, 80)
  return Buffer.concat([head, ...kept])
}

function isText(bytes: Buffer): boolean {
  const count = bytes.length >= HEAD ? bytes.readUInt32LE(80) : 0
  return /^\s*solid\b/i.test(bytes.toString('latin1', 0, 80)) && HEAD + FACET * count !== bytes.length
}

function fromBinary(bytes: Buffer): Buffer[] {
  const count = bytes.length >= HEAD ? bytes.readUInt32LE(80) : 0
  if (HEAD + FACET * count > bytes.length) refuse('The model is incomplete')
  return Array.from({ length: count }, (_, index) => bytes.subarray(HEAD + FACET * index, HEAD + FACET * (index + 1)))
}

function fromText(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1')
  if (!/\bendsolid\b/i.test(text.slice(-1024))) refuse('The model is incomplete')
  const facets: Buffer[] = []
  for (const part of text.split(/\bendfacet\b/i).slice(0, -1)) {
    const start = part.search(/\bfacet\s+normal\b/i)
    if (start < 0) continue
    const words = part.slice(start).split(/\s+/)
    const numbers = words.flatMap((word, at) =>
      /^(normal|vertex)$/i.test(word) ? words.slice(at + 1, at + 4).map(Number) : [],
    )
    if (numbers.length !== 12 || !numbers.every(Number.isFinite)) refuse('The model is damaged')
    const bytes = Buffer.alloc(FACET)
    for (const [index, number] of numbers.entries()) bytes.writeFloatLE(number, 4 * index)
    facets.push(bytes)
  }
  return facets
}
