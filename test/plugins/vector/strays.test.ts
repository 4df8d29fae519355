/** DXF drawings with something far away from everything else. */
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

const entity = (kind: string, ...groups: (string | number)[]) => [0, kind, 8, '0', ...groups].join('\n')
const line = (x: number, y: number, length = 50) =>
  entity('LINE', 10, x, 20, y, 30, 0, 11, x + length, 21, y + length, 31, 0)
const point = (x: number, y: number) => entity('POINT', 10, x, 20, y, 30, 0)
const words = (x: number, y: number) => entity('TEXT', 10, x, 20, y, 30, 0, 40, 2.5, 1, 'Far away')

const drawing = (...entities: string[]) =>
  `0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entities.join('\n')}\n0\nENDSEC\n0\nEOF\n`

/** Width and height in millimetres, and the number of pieces. */
async function seen(...entities: string[]) {
  const svg = (await convert(drawing(...entities), 'dxf', 'svg')).bytes.toString()
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg)!
  const pieces = svg.match(/<(path|circle|text) /g)!.length
  return [...[width, height].map((side) => Math.round((Number(side) * 25.4) / 96)), pieces]
}

const ten = Array.from({ length: 10 }, (_, at) => line(5 * at, 0))
const model = Array.from({ length: 300 }, (_, at) => line(at % 20, Math.floor(at / 20)))

t.test('a stray is left out', async (t) => {
  t.same(await seen(...ten, point(1e7, 1e7)), [95, 50, 10], 'a point')
  t.same(await seen(line(0, 0), point(-90_000, 0)), [50, 50, 1], 'a point beside one line')
  t.same(await seen(...ten, line(0, 1e6, 1)), [95, 50, 10], 'a tiny line')
  t.same(await seen(...ten, words(-1e9, -1e9)), [95, 50, 10], 'a text')
  t.same(await seen(...model, point(1e7, 0), point(0, 1e7), words(-1e7, 0)), [69, 64, 300], 'several')
})

t.test('content is not left out', async (t) => {
  t.same(await seen(...ten, line(950, 0)), [1000, 50, 11], 'ten times as far as the drawing is wide')
  const [, , apart] = await seen(...ten, ...ten.map((one) => one.replace('\n20\n0\n', '\n20\n100000\n')), point(0, 0))
  t.equal(apart, 21, 'two drawings far apart')
  t.equal((await seen(line(0, 0, 1), line(1e5, 0, 1), line(2e5, 0, 1)))[2], 3, 'few lines far apart')
  t.equal((await seen(...[0, 1, 2, 3, 4].map((at) => point(at * at * at * 1000, at))))[2], 5, 'points only')
  t.equal((await seen(...ten, line(0, 1e6, 5e6)))[2], 11, 'something large far away')
})
