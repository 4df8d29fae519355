/** Pictures of models: faces in front hide those behind, whatever their size. */
import t from 'tap'
import { workshop } from '../vector/workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

type Point = readonly [x: number, y: number, z: number]

const stl = (triangles: readonly (readonly Point[])[]) =>
  `solid model\n${triangles
    .map((points) => points.map((point) => `vertex ${point.join(' ')}`).join('\n'))
    .map((vertices) => `facet normal 0 0 0\nouter loop\n${vertices}\nendloop\nendfacet\n`)
    .join('')}endsolid model\n`

t.test('small shelves on a large wall are painted after the wall', async (t) => {
  const wall: Point[] = [
    [0, 0, 0],
    [100, 0, 0],
    [100, 0, 100],
  ]
  const shelves = [30, 50, 70, 90].flatMap((x) =>
    [10, 30, 50, 70]
      .filter((z) => z < x)
      .map((z): Point[] => [
        [x, -1, z],
        [x + 5, -1, z],
        [x, -6, z],
      ]),
  )
  const svg = (await convert(stl([wall, ...shelves]), 'stl', 'svg')).bytes.toString()
  const fills = [...svg.matchAll(/<polygon [^>]*fill="([^"]*)"/g)].map(([, fill]) => fill)
  t.equal(fills.length, 1 + shelves.length)
  t.equal(new Set(fills.slice(1)).size, 1, 'the shelves last')
  t.not(fills[0], fills[1])
})
