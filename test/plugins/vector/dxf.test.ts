/** DXF drawings of other programs: binary ones, those that omit required parts, and those with something far away. */
import t from 'tap'
import { studio } from '../../harness/studio.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

// A drawing is a list of codes and values, here in one line.
const HEADER = '0 SECTION 2 HEADER 9 $ACADVER 1 AC1015 9 $INSUNITS 70 4 0 ENDSEC'
const entities = (...all: string[]) => ['0 SECTION 2 ENTITIES', ...all, '0 ENDSEC 0 EOF'].join(' ')
const line = (colour = 5, layer = '0') => `0 LINE 8 ${layer} 62 ${colour} 10 0 20 0 11 90 21 60`
const text = (...all: string[]) => `${[HEADER, entities(...all)].join(' ').split(' ').join('\n')}\n`

/** The same in binary form: 16-bit codes, then texts that end with NUL, doubles, or 16-bit integers. */
function binary(...all: string[]): Buffer {
  const tokens = [HEADER, entities(...all)].join(' ').split(' ')
  const parts = tokens.flatMap((token, at) => {
    if (at % 2 === 0) return []
    const [code, value] = [Number(tokens[at - 1]), token]
    const head = Buffer.alloc(2)
    head.writeUInt16LE(code)
    const body = Buffer.alloc(code < 60 ? 8 : 2)
    if (code < 10) return [head, Buffer.from(`${value}\0`, 'latin1')]
    if (code < 60) body.writeDoubleLE(Number(value))
    else body.writeInt16LE(Number(value))
    return [head, body]
  })
  return Buffer.concat([Buffer.from('AutoCAD Binary DXF\r\n\x1a\0', 'latin1'), ...parts])
}

const drawn = async (content: string | Buffer) =>
  (await convert(Buffer.from(content), 'dxf>svg')).bytes.toString('latin1')
const paths = async (content: string | Buffer) =>
  [...(await drawn(content)).matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path!)
const strokes = async (...all: string[]) =>
  [...(await drawn(text(...all))).matchAll(/stroke="(#\w+)"/g)].map(([, colour]) => colour!)

t.test('a binary drawing looks the same as the text', async (t) => {
  t.equal(await drawn(binary(line())), await drawn(text(line())))
  t.equal((await paths(binary(line()))).length, 1)
})

t.test('entities without subclass markers are drawn', async (t) => {
  const knots = '40 0 40 0 40 0 40 0 40 1 40 1 40 1 40 1'
  const points = '10 0 20 0 30 0 10 30 20 30 30 0 10 60 20 0 30 0 10 90 20 30 30 0'
  const spline = `0 SPLINE 5 2A 8 0 70 8 71 3 72 8 73 4 ${knots} ${points}`
  t.match(await paths(text(spline)), [/C/])
  const polyline = '0 LWPOLYLINE 5 2B 8 0 90 3 70 1 10 0 20 0 10 90 20 0 10 90 20 60'
  t.equal((await paths(text(spline, polyline, line()))).length, 3)
})

t.test('a damaged entity is skipped, and the rest of the drawing is kept', async (t) => {
  const hatch = '0 HATCH 5 2C 8 0 100 AcDbEntity 100 AcDbHatch 91 5 92 7'
  t.equal((await paths(text(hatch, line()))).length, 1)
  t.equal((await paths(text(line().replace('11 90', '11 1e400'), line()))).length, 1)
})

t.test('pale and white lines are visible on white paper, and keep their colour on areas', async (t) => {
  const [yellow] = (await strokes(line(2))) as [string]
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(yellow.slice(at, at + 2), 16))
  t.ok(red === green && blue === 0 && red! < 200, `yellow becomes ${yellow}`)
  t.strictSame(await strokes(line(1)), ['#ff0000'], 'red stays')
  t.match(await strokes(line(255)), [/^#000/], 'white becomes black')
  const area = '0 SOLID 8 0 62 1 10 20 20 10 11 40 21 10 12 20 22 30 13 40 23 30'
  const across = (y: number) => `0 LINE 8 0 62 2 10 20 20 ${y} 11 40 21 ${y}`
  const [inside, beside] = await strokes(area, across(20), across(50))
  t.equal(inside, '#ffff00')
  t.not(beside, '#ffff00')
})

t.test('a gradient hatch keeps its colours', async (t) => {
  const path = '91 1 92 3 72 0 73 1 93 3 10 0 20 0 10 90 20 0 10 90 20 60 97 0'
  const colours = `450 1 451 0 460 ${Math.PI / 2} 461 0 452 0 462 0 453 2 463 0 63 1 421 ${0xff0000} 463 1 63 5 421 ${0x0000ff} 470 LINEAR`
  const head = '0 HATCH 5 2D 8 0 100 AcDbEntity 100 AcDbHatch 10 0 20 0 30 0 210 0 220 0 230 1 2 SOLID 70 1 71 0'
  const svg = await drawn(text(`${head} ${path} 75 0 76 1 98 0 ${colours}`))
  const [, name] = /<linearGradient id="(\w+)"[^>]*y1="1\.0000"[^>]*>.*#ff0000.*#0000ff/.exec(svg) ?? []
  t.ok(name, 'upwards from red to blue')
  t.match(svg, `fill="url(#${name})"`)
})

t.test('without a model, the first layout with content is drawn', async (t) => {
  const onPaper = line(5, '0 67 1')
  t.equal((await paths(text(onPaper))).length, 1)
  t.equal((await paths(text(onPaper, line(1), line(3)))).length, 2, 'with a model, only the model')
  for (const empty of [text(), entities().split(' ').join('\n')])
    t.match(await failure(Buffer.from(empty), 'dxf>svg'), { code: 'CONVERSION_ERROR', message: 'The drawing is empty' })
})

t.test('a line type that is too dense is drawn solid', async (t) => {
  const type = '0 LTYPE 2 FINE 70 0 3 _ 72 65 73 2 40 2 49 1 49 -1'
  const tables = `0 SECTION 2 TABLES 0 TABLE 2 LTYPE 70 1 ${type} 0 ENDTAB 0 ENDSEC`
  const long = (length: number) => {
    const dashed = `0 LINE 8 0 6 FINE 62 5 10 0 20 0 11 ${length} 21 0`
    return `${[HEADER, tables, entities(dashed)].join(' ').split(' ').join('\n')}\n`
  }
  t.equal((await paths(long(20))).length, 10)
  t.equal((await paths(long(5_000_000))).length, 1)
})

const stretch = (x: number, y: number, length = 50) =>
  `0 LINE 8 0 10 ${x} 20 ${y} 30 0 11 ${x + length} 21 ${y + length} 31 0`
const point = (x: number, y: number) => `0 POINT 8 0 10 ${x} 20 ${y} 30 0`
const words = (x: number, y: number) => `0 TEXT 8 0 10 ${x} 20 ${y} 30 0 40 2.5 1 Far-away`

/** Width and height in millimetres, and the number of pieces. */
async function seen(...all: string[]) {
  const svg = await drawn(text(...all))
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg)!
  return [
    ...[width, height].map((side) => Math.round((Number(side) * 25.4) / 96)),
    svg.match(/<(path|circle|text) /g)!.length,
  ]
}

const ten = Array.from({ length: 10 }, (_, at) => stretch(5 * at, 0))
const model = Array.from({ length: 300 }, (_, at) => stretch(at % 20, Math.floor(at / 20)))

t.test('a stray is left out', async (t) => {
  t.same(await seen(...ten, point(1e7, 1e7)), [95, 50, 10], 'a point')
  t.same(await seen(stretch(0, 0), point(-90_000, 0)), [50, 50, 1], 'a point beside one line')
  t.same(await seen(...ten, stretch(0, 1e6, 1)), [95, 50, 10], 'a tiny line')
  t.same(await seen(...ten, words(-1e9, -1e9)), [95, 50, 10], 'a text')
  t.same(await seen(...model, point(1e7, 0), point(0, 1e7), words(-1e7, 0)), [69, 64, 300], 'several')
})

t.test('content is not left out', async (t) => {
  t.same(await seen(...ten, stretch(950, 0)), [1000, 50, 11], 'ten times as far as the drawing is wide')
  const apart = await seen(...ten, ...ten.map((one) => one.replace('20 0 30', '20 100000 30')), point(0, 0))
  t.equal(apart[2], 21, 'two drawings far apart')
  t.equal((await seen(stretch(0, 0, 1), stretch(1e5, 0, 1), stretch(2e5, 0, 1)))[2], 3, 'few lines far apart')
  t.equal((await seen(...[0, 1, 2, 3, 4].map((at) => point(at * at * at * 1000, at))))[2], 5, 'points only')
  t.equal((await seen(...ten, stretch(0, 1e6, 5e6)))[2], 11, 'something large far away')
})
