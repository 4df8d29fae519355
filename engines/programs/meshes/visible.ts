import type { View } from './view.ts'

/** Indices of the visible triangles, from the farthest to the nearest. Uses a depth buffer. */
export function visible({ corners, width, height }: View): number[] {
  const [columns, rows] = [Math.ceil(width) + 1, Math.ceil(height) + 1]
  const depths = new Float32Array(columns * rows).fill(-Infinity)
  const owners = new Int32Array(columns * rows).fill(-1)
  for (let at = 0; at < corners.length; at += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(at, at + 9) as unknown as number[] as Nine
    const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
    if (Math.abs(area) < 1e-9) continue
    const [left, right] = [Math.floor(Math.min(ax, bx, cx)), Math.ceil(Math.max(ax, bx, cx))]
    const [top, bottom] = [Math.floor(Math.min(ay, by, cy)), Math.ceil(Math.max(ay, by, cy))]
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const a = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
        const b = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
        if (a < -1e-6 || b < -1e-6 || a + b > 1 + 1e-6) continue
        const depth = a * az + b * bz + (1 - a - b) * cz
        const pixel = y * columns + x
        if (depth <= depths[pixel]!) continue
        depths[pixel] = depth
        owners[pixel] = at / 9
      }
  }
  const seen = new Set(owners)
  seen.delete(-1)
  const middle = (triangle: number) =>
    corners[9 * triangle + 2]! + corners[9 * triangle + 5]! + corners[9 * triangle + 8]!
  return [...seen].sort((one, other) => middle(one) - middle(other))
}

type Nine = [number, number, number, number, number, number, number, number, number]
