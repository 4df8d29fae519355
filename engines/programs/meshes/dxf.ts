import type { Mesh } from './mesh.ts'

/** DXF R12 with one 3DFACE per triangle. Its fourth corner repeats the third. */
export function dxf({ points, triangles }: Mesh): string {
  const lines = ['0', 'SECTION', '2', 'ENTITIES']
  for (let at = 0; at < triangles.length; at += 3) {
    lines.push('0', '3DFACE', '8', '0')
    for (const [corner, part] of [0, 1, 2, 2].entries())
      for (const axis of [0, 1, 2])
        lines.push(`${10 * (axis + 1) + corner}`, `${points[3 * triangles[at + part]! + axis]}`)
  }
  return `${[...lines, '0', 'ENDSEC', '0', 'EOF'].join('\n')}\n`
}
