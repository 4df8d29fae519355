/** Projected triangles, nine numbers each: x to the right, y downwards, z towards the viewer. */
export interface View {
  corners: Float32Array
  /** Of the drawing. */
  width: number
  height: number
}

const across = Math.SQRT1_2
const rise = 1 / Math.sqrt(3)
const run = Math.sqrt(2 / 3)

/**
 * Projects a model, seen from the front, the right and above (isometric projection, ISO 5456-3), and scales it so that
 * the longer side of the drawing is `side`.
 *
 * @param up the axis that points upwards: z in engineering, y in animation
 */
export function view(corners: Float32Array, up: 'y' | 'z', side: number): View {
  const seen = new Float32Array(corners.length)
  const low = [Infinity, Infinity]
  const high = [-Infinity, -Infinity]
  for (let at = 0; at < corners.length; at += 3) {
    const x = corners[at]!
    // If y points up, the front of the model faces along z instead of against y.
    const [y, z] = up === 'z' ? [corners[at + 1]!, corners[at + 2]!] : [-corners[at + 2]!, corners[at + 1]!]
    const depth = (y - x) * across
    const place = [(x + y) * across, -(z * run + depth * rise), z * rise - depth * run]
    seen.set(place, at)
    for (const axis of [0, 1]) {
      low[axis] = Math.min(low[axis]!, place[axis]!)
      high[axis] = Math.max(high[axis]!, place[axis]!)
    }
  }
  const width = high[0]! - low[0]!
  const height = high[1]! - low[1]!
  const scale = side / Math.max(width, height, Number.MIN_VALUE)
  for (let at = 0; at < seen.length; at += 3) {
    seen[at] = (seen[at]! - low[0]!) * scale
    seen[at + 1] = (seen[at + 1]! - low[1]!) * scale
    seen[at + 2] = seen[at + 2]! * scale
  }
  return { corners: seen, width: width * scale, height: height * scale }
}
