/** DXF drawings of other programs: binary ones, and those that omit required parts. */
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(300_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

type Group = readonly [code: number, value: string | number]

const HEADER: Group[] = [
  ...([
    [0, 'SECTION'],
    [2, 'HEADER'],
    [9, '$ACADVER'],
    [1, 'AC1015'],
    [0, 'ENDSEC'],
  ] as const),
  ...([
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ] as const),
]
const END: Group[] = [
  [0, 'ENDSEC'],
  [0, 'EOF'],
]
const LINE: Group[] = [
  [0, 'LINE'],
  [8, '0'],
  [62, 5],
  [10, 0],
  [20, 0],
  [11, 90],
  [21, 60],
]
const line = (colour: number): Group[] => LINE.map((group) => (group[0] === 62 ? [62, colour] : group))

const text = (...entities: Group[][]) =>
  `${[...HEADER, ...entities.flat(), ...END].map(([code, value]) => `${code}\n${value}`).join('\n')}\n`

/** The same in binary form: 16-bit codes, then texts that end with NUL, doubles, or 16-bit integers. */
function binary(...entities: Group[][]): Buffer {
  const parts = [...HEADER, ...entities.flat(), ...END].map(([code, value]) => {
    const head = Buffer.alloc(2)
    head.writeUInt16LE(code)
    if (code < 10) return Buffer.concat([head, Buffer.from(`${value}\0`, 'latin1')])
    const body = Buffer.alloc(code < 60 ? 8 : 2)
    if (code < 60) body.writeDoubleLE(Number(value))
    else body.writeInt16LE(Number(value))
    return Buffer.concat([head, body])
  })
  return Buffer.concat([Buffer.from('AutoCAD Binary DXF\r\n\x1a\0', 'latin1'), ...parts])
}

const drawn = async (content: string | Buffer) =>
  (await convert(content as string, 'dxf', 'svg')).bytes.toString('latin1')
const paths = (svg: string) => [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path!)

t.test('a binary drawing looks the same as the text', async (t) => {
  t.equal(await drawn(binary(LINE)), await drawn(text(LINE)))
  t.equal(paths(await drawn(binary(LINE))).length, 1)
})

t.test('entities without subclass markers are drawn', async (t) => {
  const knots = [0, 0, 0, 0, 1, 1, 1, 1].map((knot): Group => [40, knot])
  const points = [0, 30, 60, 90].flatMap((x): Group[] => [
    [10, x],
    [20, x % 60],
    [30, 0],
  ])
  const spline: Group[] = [[0, 'SPLINE'], [5, '2A'], [8, '0'], [70, 8], [71, 3], [72, 8], [73, 4], ...knots, ...points]
  t.match(paths(await drawn(text(spline))), [/C/])
  const polyline: Group[] = [
    ...([
      [0, 'LWPOLYLINE'],
      [5, '2B'],
      [8, '0'],
      [90, 3],
      [70, 1],
    ] as const),
    ...([
      [10, 0],
      [20, 0],
      [10, 90],
      [20, 0],
      [10, 90],
      [20, 60],
    ] as const),
  ]
  t.equal(paths(await drawn(text(spline, polyline, LINE))).length, 3)
})

t.test('a damaged entity is skipped, and the rest of the drawing is kept', async (t) => {
  const hatch: Group[] = [
    [0, 'HATCH'],
    [5, '2C'],
    [8, '0'],
    [100, 'AcDbEntity'],
    [100, 'AcDbHatch'],
    [91, 5],
    [92, 7],
  ]
  t.equal(paths(await drawn(text(hatch, LINE))).length, 1)
  const nowhere: Group[] = LINE.map((group) => (group[0] === 11 ? [11, '1e400'] : group))
  t.equal(paths(await drawn(text(nowhere, LINE))).length, 1)
})

t.test('pale lines are visible on white paper, and keep their hue', async (t) => {
  const [, colour] = /stroke="#(\w{6})"/.exec(await drawn(text(line(2)))) as unknown as [string, string]
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  t.ok(red === green && blue === 0 && red < 200, `yellow becomes ${colour}`)
  t.match(await drawn(text(line(1))), /stroke="#ff0000"/, 'red stays')
})
