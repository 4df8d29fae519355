import { readFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

/** Triangles that share their corners. */
export interface Mesh {
  /** Three coordinates each. */
  points: number[]
  /** Three numbers of points each. */
  triangles: number[]
}

/** Triangles of one model. */
const MOST = 5_000_000

/** The corners of a binary STL's triangles, nine numbers each. Refuses a model without any. */
export function corners(path: string): Float32Array {
  const bytes = readFileSync(path)
  const count = bytes.length >= 84 ? bytes.readUInt32LE(80) : 0
  if (count === 0 || bytes.length < 84 + 50 * count) refuse('The model holds no triangles')
  if (count > MOST) refuse(`The model has ${count} triangles; at most ${MOST} are taken`, 'RESOURCE_LIMIT')
  const numbers = new Float32Array(9 * count)
  for (let triangle = 0; triangle < count; triangle++)
    for (let part = 0; part < 9; part++) numbers[9 * triangle + part] = bytes.readFloatLE(96 + 50 * triangle + 4 * part)
  if (!numbers.every(Number.isFinite)) refuse('The model has corners that are nowhere')
  return numbers
}

/** Makes one point of equal corners, and leaves out triangles that have no area for that. */
export function weld(numbers: Float32Array): Mesh {
  const known = new Map<string, number>()
  const points: number[] = []
  const triangles: number[] = []
  const pointAt = (at: number) => {
    const [x, y, z] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!]
    const key = `${x} ${y} ${z}`
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, known.size)
    points.push(x, y, z)
    return known.size - 1
  }
  for (let at = 0; at < numbers.length; at += 9) {
    const [a, b, c] = [pointAt(at), pointAt(at + 3), pointAt(at + 6)]
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c)
  }
  return { points, triangles }
}

/** A list of numbers in threes, each three written by `line`. */
export function threes(numbers: readonly number[], line: (a: number, b: number, c: number) => string): string {
  const lines: string[] = []
  for (let at = 0; at < numbers.length; at += 3) lines.push(line(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!))
  return lines.join('\n')
}
