/** A model as a reader saw it: triangles of three vertices with three coordinates each. */
export type Shape = (readonly (readonly number[])[])[]

/** Properties to compare with the solid, independent of the axis that points up. */
export function measure(shape: Shape) {
  const corners = shape.flat()
  const sides = [0, 1, 2].map((axis) => {
    const along = corners.map((corner) => corner[axis]!)
    return Math.max(...along) - Math.min(...along)
  })
  const volume = shape.reduce((sum, [a, b, c]) => {
    const cross = [0, 1, 2].map((axis) => {
      const next = (axis + 1) % 3
      const last = (axis + 2) % 3
      return b![next]! * c![last]! - b![last]! * c![next]!
    })
    return sum + (a![0]! * cross[0]! + a![1]! * cross[1]! + a![2]! * cross[2]!) / 6
  }, 0)
  return { triangles: shape.length, box: sides.sort((one, other) => one - other), volume }
}

/** Makes triangles of points, three coordinates each, and faces, lists of point numbers. Splits faces into fans. */
export function indexed(points: readonly number[], faces: readonly (readonly number[])[]): Shape {
  const point = (index: number) => {
    const place = points.slice(3 * index, 3 * index + 3)
    if (place.length !== 3) throw new Error(`no point ${index}`)
    return place
  }
  return faces.flatMap((face) =>
    Array.from({ length: face.length - 2 }, (_, at) => [face[0]!, face[at + 1]!, face[at + 2]!].map(point)),
  )
}

/** Splits a list into groups of so many. */
export const groups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
