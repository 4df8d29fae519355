/** DXF drawings of other programs: binary ones, and those that omit required parts. */
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, failure, ...rest } = await workshop()
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

t.test('pale lines keep their colour only on coloured areas', async (t) => {
  const corners = [20, 10, 40, 10, 20, 30, 40, 30].map((value, index): Group => {
    return [(index % 2 === 0 ? 10 : 20) + (index >> 1), value]
  })
  const square: Group[] = [[0, 'SOLID'], [8, '0'], [62, 1], ...corners]
  const across: Group[] = [
    [0, 'LINE'],
    [8, '0'],
    [62, 2],
    [10, 20],
    [20, 20],
    [11, 40],
    [21, 20],
  ]
  const beside = across.map(([code, value]): Group => (code === 20 || code === 21 ? [code, 50] : [code, value]))
  const svg = await drawn(text(square, across, beside))
  const strokes = [...svg.matchAll(/stroke="(#\w{6})"/g)].map(([, colour]) => colour)
  t.equal(strokes[0], '#ffff00')
  t.not(strokes[1], '#ffff00')
})

t.test('a gradient hatch keeps its colours', async (t) => {
  const path: Group[] = [
    [91, 1],
    [92, 3],
    [72, 0],
    [73, 1],
    [93, 3],
    [10, 0],
    [20, 0],
    [10, 90],
    [20, 0],
    [10, 90],
    [20, 60],
  ]
  const gradient: Group[] = [
    ...([
      [450, 1],
      [451, 0],
      [460, Math.PI / 2],
      [461, 0],
      [452, 0],
      [462, 0],
      [453, 2],
    ] as const),
    ...([
      [463, 0],
      [63, 1],
      [421, 0xff0000],
      [463, 1],
      [63, 5],
      [421, 0x0000ff],
      [470, 'LINEAR'],
    ] as const),
  ]
  const hatch: Group[] = [
    ...([
      [0, 'HATCH'],
      [5, '2D'],
      [8, '0'],
      [100, 'AcDbEntity'],
      [100, 'AcDbHatch'],
      [10, 0],
      [20, 0],
      [30, 0],
    ] as const),
    ...([
      [210, 0],
      [220, 0],
      [230, 1],
      [2, 'SOLID'],
      [70, 1],
      [71, 0],
    ] as const),
    ...path,
    ...([
      [97, 0],
      [75, 0],
      [76, 1],
      [98, 0],
    ] as const),
    ...gradient,
  ]
  const svg = await drawn(text(hatch))
  const [, name] = /<linearGradient id="(\w+)"[^>]*y1="1\.0000"[^>]*>.*#ff0000.*#0000ff/.exec(svg) ?? []
  t.ok(name, 'upwards from red to blue')
  t.match(svg, `fill="url(#${name})"`)
})

t.test('without a model, the first layout with content is drawn', async (t) => {
  const onPaper = LINE.flatMap((group): Group[] => (group[0] === 8 ? [group, [67, 1]] : [group]))
  t.equal(paths(await drawn(text(onPaper))).length, 1)
  t.equal(paths(await drawn(text(onPaper, line(1), line(3)))).length, 2, 'with a model, only the model')
  t.match(await failure(text(), 'dxf', 'svg'), { code: 'CONVERSION_ERROR', message: 'The drawing is empty' })
})

t.test('a line type that is too dense is drawn solid', async (t) => {
  const [start, ...end] = [HEADER.slice(0, 5), ...HEADER.slice(5)] as [Group[], ...Group[]]
  const type: Group[] = [
    ...([
      [0, 'SECTION'],
      [2, 'TABLES'],
      [0, 'TABLE'],
      [2, 'LTYPE'],
      [70, 1],
      [0, 'LTYPE'],
      [2, 'FINE'],
      [70, 0],
    ] as const),
    ...([
      [3, ''],
      [72, 65],
      [73, 2],
      [40, 2],
      [49, 1],
      [49, -1],
      [0, 'ENDTAB'],
      [0, 'ENDSEC'],
    ] as const),
  ]
  const long = (length: number) => {
    const entity = LINE.flatMap((group): Group[] => {
      if (group[0] === 8) return [group, [6, 'FINE']]
      return [group[0] === 11 ? [11, length] : group[0] === 21 ? [21, 0] : group]
    })
    return `${[...start, ...type, ...end, ...entity, ...END].map((group) => group.join('\n')).join('\n')}\n`
  }
  t.equal(paths(await drawn(long(20))).length, 10)
  t.equal(paths(await drawn(long(5_000_000))).length, 1)
})
