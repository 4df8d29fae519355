import type { View } from './view.ts'

/** Depths closer than this, in pixels, are the same place: triangles that share an edge do not hide each other. */
const SAME = 0.02

/**
 * Indices of the visible triangles in the order of painting: what hides another one comes later. Uses a depth buffer.
 */
export function visible({ corners, width, height }: View): number[] {
  const columns = Math.ceil(width) + 1
  const rows = Math.ceil(height) + 1
  const depths = new Float32Array(columns * rows).fill(-Infinity)
  const owners = new Int32Array(columns * rows).fill(-1)
  for (let triangle = 0; triangle < corners.length / 9; triangle++)
    cover(corners, triangle, columns, (pixel, depth) => {
      if (depth <= depths[pixel]!) return
      depths[pixel] = depth
      owners[pixel] = triangle
    })
  const seen = new Set(owners)
  seen.delete(-1)
  const middle = (triangle: number) =>
    corners[9 * triangle + 2]! + corners[9 * triangle + 5]! + corners[9 * triangle + 8]!
  const fromBack = [...seen].sort((one, other) => middle(one) - middle(other))
  return inOrder(fromBack, (triangle) => {
    const hidden = new Set<number>()
    cover(corners, triangle, columns, (pixel, depth) => {
      if (owners[pixel] !== triangle && depths[pixel]! - depth > SAME) hidden.add(owners[pixel]!)
    })
    return hidden
  })
}

/** Calls `at` for each pixel of a triangle, with the depth there. */
function cover(corners: Float32Array, triangle: number, columns: number, at: (pixel: number, depth: number) => void) {
  const nine = corners.subarray(9 * triangle, 9 * triangle + 9) as unknown as Nine
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = nine
  const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
  if (Math.abs(area) < 1e-9) return
  const left = Math.floor(Math.min(ax, bx, cx))
  const right = Math.ceil(Math.max(ax, bx, cx))
  const top = Math.floor(Math.min(ay, by, cy))
  const bottom = Math.ceil(Math.max(ay, by, cy))
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const a = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
      const b = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
      if (a < -1e-6 || b < -1e-6 || a + b > 1 + 1e-6) continue
      at(y * columns + x, a * az + b * bz + (1 - a - b) * cz)
    }
}

/** Puts each triangle before those that hide it. Triangles that hide each other stay in the given order. */
function inOrder(fromBack: readonly number[], hiders: (triangle: number) => ReadonlySet<number>): number[] {
  const done = new Set<number>()
  const later: number[] = []
  const open = new Set<number>()
  for (const first of [...fromBack].reverse()) {
    if (done.has(first)) continue
    open.add(first)
    const stack = [{ triangle: first, rest: [...hiders(first)] }]
    while (stack.length > 0) {
      const { triangle, rest } = stack.at(-1)!
      const next = rest.pop()
      if (next === undefined) {
        later.push(triangle)
        done.add(triangle)
        stack.pop()
      } else if (!done.has(next) && !open.has(next)) {
        open.add(next)
        stack.push({ triangle: next, rest: [...hiders(next)] })
      }
    }
  }
  return later.reverse()
}

type Nine = [number, number, number, number, number, number, number, number, number]
