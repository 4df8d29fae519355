/** Draws a model: `draw.ts y|z INPUT.stl OUTPUT.svg`. */
import { writeFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'
import { corners } from './mesh.ts'
import { view } from './view.ts'
import { visible } from './visible.ts'

/** Longer side of the drawing, in CSS pixels. */
const SIDE = 640
const MARGIN = 8

/** Direction to the light, in the drawing. */
const light = [-0.35, -0.6, 0.72]

const [up, input, output] = process.argv.slice(2) as ['y' | 'z', string, string]
const model = view(corners(input), up, SIDE)
const triangles = visible(model)
if (triangles.length === 0) refuse('The model has no visible surface')

const polygons = triangles.map((triangle) => {
  const corner = model.corners.subarray(9 * triangle, 9 * triangle + 9)
  const points = [0, 3, 6].map((at) => `${corner[at]!.toFixed(1)},${corner[at + 1]!.toFixed(1)}`)
  return `<polygon points="${points.join(' ')}" fill="${shade(corner)}"/>`
})
const [width, height] = [model.width, model.height].map((length) => (length + 2 * MARGIN).toFixed(1))
// A line in the triangle's own colour closes the gaps to its neighbours.
const lines = 'stroke-width="1" stroke-linejoin="round"'
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}">
<g ${lines}>
${polygons.map((polygon) => polygon.replace(/fill="([^"]*)"/, 'fill="$1" stroke="$1"')).join('\n')}
</g>
</svg>
`,
)

/** A blue grey, lighter if the triangle faces the light. Both sides look the same. */
function shade(corner: Float32Array): string {
  const [ax, ay, az, bx, by, bz] = [3, 6].flatMap((at) =>
    [0, 1, 2].map((axis) => corner[at + axis]! - corner[axis]!),
  ) as [number, number, number, number, number, number]
  const normal = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
  const facing = normal[2]! < 0 ? -1 : 1
  const turned =
    normal.reduce((sum, part, axis) => sum + part * facing * light[axis]!, 0) / (Math.hypot(...normal) || 1)
  const brightness = 0.35 + 0.6 * Math.max(0, turned)
  const channels = [200, 215, 235].map((level) =>
    Math.round(level * brightness)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${channels.join('')}`
}
