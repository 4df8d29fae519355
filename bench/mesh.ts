/** A torus of `rings` × `sides` quadrilaterals as Wavefront OBJ. */
export function makeMesh(rings: number, sides: number): string {
  const lines: string[] = []
  for (let ring = 0; ring < rings; ring++)
    for (let side = 0; side < sides; side++) {
      const around = (ring / rings) * 2 * Math.PI
      const across = (side / sides) * 2 * Math.PI
      const radius = 3 + Math.cos(across)
      const point = [radius * Math.cos(around), radius * Math.sin(around), Math.sin(across)]
      lines.push(`v ${point.map((value) => value.toFixed(5)).join(' ')}`)
    }
  const at = (ring: number, side: number) => (ring % rings) * sides + (side % sides) + 1
  for (let ring = 0; ring < rings; ring++)
    for (let side = 0; side < sides; side++)
      lines.push(`f ${at(ring, side)} ${at(ring + 1, side)} ${at(ring + 1, side + 1)} ${at(ring, side + 1)}`)
  return `${lines.join('\n')}\n`
}
