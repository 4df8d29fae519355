import { measure, type Shape } from '../matrix/shape.ts'

/** Number of pieces that do not touch: triangles that share a vertex belong together. */
export function piecesOf(shape: Shape): number {
  const above = new Map<string, string>()
  const root = (key: string): string => {
    let at = key
    for (let next = above.get(at); next !== undefined && next !== at; next = above.get(at)) at = next
    above.set(key, at)
    return at
  }
  for (const facet of shape) {
    const [first, ...others] = facet.map((point) =>
      point.map((part) => (Math.round(part * 1e3) / 1e3 + 0).toString()).join(),
    )
    for (const key of [first!, ...others]) if (!above.has(key)) above.set(key, key)
    for (const key of others) above.set(root(key), root(first!))
  }
  return new Set([...above.keys()].map(root)).size
}

/** What a model of these triangles must be after a conversion. */
export function truthOf(shape: Shape) {
  const { box, volume } = measure(shape)
  return { box, volume, parts: piecesOf(shape), outline: async () => shape }
}
