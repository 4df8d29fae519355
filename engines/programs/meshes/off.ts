import { type Mesh, threes } from './mesh.ts'

/** Object File Format. @see http://www.geomview.org/docs/html/OFF.html */
export const off = ({ points, triangles }: Mesh) => `OFF
${points.length / 3} ${triangles.length / 3} 0
${threes(points, (x, y, z) => `${x} ${y} ${z}`)}
${threes(triangles, (a, b, c) => `3 ${a} ${b} ${c}`)}
`
