import { SaxesParser } from 'saxes'
import { refuse } from '../refusal/refusal.ts'
import type { Member } from '../repack/members.ts'

/** Placement of an object: a matrix of four rows and three columns. The omitted fourth column is 0 0 0 1. */
export type Transform = readonly number[]

/** A placed object. */
interface Placed {
  /** The part of the package that contains the object. */
  part: string
  id: string
  transform: Transform | undefined
}

/** A mesh, or an assembly of other objects. */
interface Thing {
  points: number[]
  triangles: number[]
  components: Placed[]
}

interface Model {
  things: Map<string, Thing>
  build: Placed[]
}

/** Limits of one package: triangles, placed objects, and levels of nesting. */
const MAX = { triangles: 5_000_000, placed: 100_000, depth: 32 }

/** The vertices of all objects that a 3MF package builds (core 1.3, production 1.1), nine numbers per triangle. */
export function built(members: readonly Member[]): number[] {
  const texts = new Map(members.map(({ name, content }) => [keyOf(name), content]))
  const models = new Map<string, Model>()
  const modelOf = (part: string): Model => {
    const known = models.get(part) ?? readModel(texts.get(part)?.toString('utf8') ?? '', part)
    models.set(part, known)
    return known
  }
  const corners: number[] = []
  let placed = 0
  const place = ({ part, id, transform }: Placed, outer: readonly Transform[]): void => {
    if (++placed > MAX.placed || outer.length > MAX.depth)
      refuse('The model has more than 100,000 parts or more than 32 levels', 'RESOURCE_LIMIT')
    const thing = modelOf(part).things.get(id)
    if (!thing) return
    const transforms = transform ? [transform, ...outer] : outer
    if (corners.length / 9 + thing.triangles.length / 3 > MAX.triangles)
      refuse(`The model has more than ${MAX.triangles} triangles`, 'RESOURCE_LIMIT')
    for (const corner of thing.triangles) corners.push(...pointAt(thing, corner, transforms))
    for (const component of thing.components) place(component, transforms)
  }
  const root = rootOf(members)
  for (const item of modelOf(root).build) place(item, [])
  return corners
}

const keyOf = (name: string) => name.replace(/^\//, '').toLowerCase()

/** The root model part of the package. */
function rootOf(members: readonly Member[]): string {
  const relations = members.find(({ name }) => keyOf(name) === '_rels/.rels')?.content.toString('utf8') ?? ''
  const tags = relations.match(/<Relationship\b[^<>]*>/g) ?? []
  const tag = tags.find((one) => one.includes('/3dmodel"')) ?? ''
  return keyOf(/\bTarget="([^"]*)"/.exec(tag)?.[1] ?? '3D/3dmodel.model')
}

function pointAt({ points }: Thing, corner: number, transforms: readonly Transform[]): readonly number[] {
  const point = points.slice(3 * corner, 3 * corner + 3)
  return transforms.reduce<readonly number[]>((from, by) => [0, 1, 2].map((axis) => along(from, by, axis)), point)
}

const along = ([x, y, z]: readonly number[], by: Transform, axis: number) =>
  x! * by[axis]! + y! * by[3 + axis]! + z! * by[6 + axis]! + by[9 + axis]!

/** Reads one part. Ignores elements of extensions, which have prefixes. */
function readModel(text: string, part: string): Model {
  const model: Model = { things: new Map(), build: [] }
  let thing: Thing = { points: [], triangles: [], components: [] }
  const placedBy = (attributes: Record<string, string>): Placed => {
    const path = Object.entries(attributes).find(([name]) => name.endsWith(':path'))?.[1]
    const transform = attributes.transform?.trim().split(/\s+/).map(Number)
    const whole = transform?.length === 12 && transform.every(Number.isFinite)
    return { part: path ? keyOf(path) : part, id: attributes.objectid ?? '', transform: whole ? transform : undefined }
  }
  const take: Record<string, (attributes: Record<string, string>) => unknown> = {
    object: ({ id = '' }) => model.things.set(id, (thing = { points: [], triangles: [], components: [] })),
    vertex: ({ x, y, z }) => thing.points.push(Number(x), Number(y), Number(z)),
    triangle: ({ v1, v2, v3 }) => thing.triangles.push(Number(v1), Number(v2), Number(v3)),
    component: (attributes) => thing.components.push(placedBy(attributes)),
    item: (attributes) => model.build.push(placedBy(attributes)),
  }
  const parser = new SaxesParser()
  parser.on('error', () => refuse('The model is damaged'))
  parser.on('opentag', ({ name, attributes }) => take[name]?.(attributes as Record<string, string>))
  parser.write(text).close()
  return model
}
