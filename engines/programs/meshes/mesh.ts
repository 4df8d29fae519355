import { readFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

/** Triangles with shared vertices. */
export interface Mesh {
  /** Three coordinates per point. */
  points: number[]
  /** Three point indices per triangle. */
  triangles: number[]
}

/** Most triangles of one model. */
const MAX = 5_000_000

/** The vertices of a binary STL, nine numbers per triangle. Refuses a model without triangles. */
export function corners(path: string): Float32Array {
  const bytes = readFileSync(path)
  const count = bytes.length >= 84 ? bytes.readUInt32LE(80) : 0
  if (count === 0 || bytes.length < 84 + 50 * count) refuse('The model contains no triangles')
  if (count > MAX) refuse(`The model has ${count} triangles; the limit is ${MAX}`, 'RESOURCE_LIMIT')
  const numbers = new Float32Array(9 * count)
  for (let triangle = 0; triangle < count; triangle++)
    for (let part = 0; part < 9; part++) numbers[9 * triangle + part] = bytes.readFloatLE(96 + 50 * triangle + 4 * part)
  if (!numbers.every(Number.isFinite)) refuse('The model has vertices with non-finite coordinates')
  return numbers
}

/** Merges equal vertices, and removes triangles that have no area. */
export function weld(numbers: Float32Array): Mesh {
  const known = new Map<string, number>()
  const points: number[] = []
  const triangles: number[] = []
  const pointAt = (at: number) => {
    const x = numbers[at]!
    const y = numbers[at + 1]!
    const z = numbers[at + 2]!
    const key = `${x} ${y} ${z}`
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, known.size)
    points.push(x, y, z)
    return known.size - 1
  }
  for (let at = 0; at < numbers.length; at += 9) {
    const a = pointAt(at)
    const b = pointAt(at + 3)
    const c = pointAt(at + 6)
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c)
  }
  return { points, triangles }
}

/** Formats numbers three by three, one line for each three. */
export function threes(numbers: readonly number[], line: (a: number, b: number, c: number) => string): string {
  const lines: string[] = []
  for (let at = 0; at < numbers.length; at += 3) lines.push(line(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!))
  return lines.join('\n')
}
