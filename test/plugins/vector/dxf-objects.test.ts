/** Objects in DXF that its library leaves out: bodies, files outside, tolerances, those of other programs. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { completed, namesIn } from '../../../engines/programs/libredwg/mend.ts'
import { textOf } from '../../../engines/programs/libredwg/pairs.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'

t.setTimeout(30 * 60_000)

const drawer = fileURLToPath(new URL('../../../engines/programs/dxf/draw.py', import.meta.url))

/** A drawing of pairs; `_` is a space in a value. */
const drawing = (entities: string, { objects = '', tables = '' } = {}) => {
  const section = (name: string, all: string) => `0 SECTION 2 ${name} ${all} 0 ENDSEC`
  const parts = [
    section('HEADER', '9 $ACADVER 1 AC1015 9 $INSUNITS 70 4'),
    section('TABLES', tables),
    section('ENTITIES', entities),
    section('OBJECTS', `0 DICTIONARY 5 C 330 0 100 AcDbDictionary 281 1 ${objects}`),
    '0 EOF',
  ]
  return `${parts.join(' ').split(/\s+/).join('\n').replaceAll('_', ' ')}\n`
}

/** Draws a drawing: the SVG, and what the program says. */
const drawn = (text: string) =>
  withFolder(async (folder) => {
    const input = `${folder}/a.dxf`
    const output = `${folder}/a.svg`
    await writeFile(input, text)
    const shell = `/usr/bin/python3 -E -s -B "$@" 2>&1 || true`
    const said = String(await program('sh', '-c', shell, 'sh', drawer, input, output))
    return { said, svg: await readFile(output, 'utf8').catch(() => '') }
  })

/** Width and height in millimetres. */
const size = (svg: string) =>
  [...(/<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [])]
    .slice(1)
    .map((side) => Math.round((Number(side) * 25.4) / 96))

/** Lines of ACIS data in the letters that DXF writes them in. */
const secret = (lines: string[]) =>
  lines
    .map((line) => `1 ${[...line].map((c) => (c === ' ' ? '_' : String.fromCharCode(159 - c.charCodeAt(0)))).join('')}`)
    .join(' ')

const solid = (records: string[]) => {
  const data = ['400 0 1 0 ', '7 Unknown 5 ACIS 3 Now ', '1 1e-06 1e-10 ', ...records.map((record) => `${record} #`)]
  const head = '0 3DSOLID 5 2A 8 0 100 AcDbEntity 100 AcDbModelerGeometry 70 1'
  return `${head} ${secret(data)}`
}

t.test('the edges of bodies are drawn: straight, round and by control points, where the body lies', async (t) => {
  const { svg, said } = await drawn(
    drawing(
      solid([
        'body $-1 $1 $-1 $2',
        'lump $-1 $-1 $-1 $0',
        'transform $-1 1 0 0 0 1 0 0 0 1 100 100 0 2 no_rotate no_reflect no_shear',
        'edge $-1 $4 0 $5 20 $-1 $6 forward',
        'vertex $-1 $3 $7',
        'vertex $-1 $3 $8',
        'straight-curve $-1 0 0 0 1 0 0 I I',
        'point $-1 0 0 0',
        'point $-1 20 0 0',
        'edge $-1 $5 0 $5 6.283185307179586 $-1 $10 forward',
        'ellipse-curve $-1 10 0 0 0 0 1 10 0 0 1 I I',
        'edge $-1 $4 0 $5 1 $-1 $12 forward',
        'intcurve-curve $-1 forward { exactcur full nubs 1 open 2 0 1 1 1 0 0 0 20 0 0 0 } I I',
      ]),
    ),
  )
  t.equal(said, '')
  t.strictSame(size(svg), [40, 40])
  t.equal(svg.split('<path ').length - 1, 3)
})

t.test('a drawing of objects that nobody can draw is refused by their names', async (t) => {
  const { said } = await drawn(drawing('0 3DSOLID 5 2A 8 0 100 AcDbEntity 100 AcDbModelerGeometry 70 1'))
  t.match(said, 'The drawing has only objects that cannot be drawn: 3DSOLID')
})

/** A polyline of three points, as programs store it for objects of their own. */
function graphics(...points: [number, number][]) {
  const body = Buffer.alloc(12 + points.length * 24)
  body.writeUInt32LE(body.length, 0)
  body.writeUInt32LE(6, 4)
  body.writeUInt32LE(points.length, 8)
  for (const [at, number] of points.flatMap(([x, y]) => [x, y, 0]).entries()) body.writeDoubleLE(number, 12 + 8 * at)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(8 + body.length, 0)
  head.writeUInt32LE(1, 4)
  return Buffer.concat([head, body])
}

t.test('objects of other programs are drawn by the lines stored with them, on layers that are shown', async (t) => {
  const data = graphics([0, 0], [50, 0], [50, 30])
  const wall = (layer: string) =>
    `0 AEC_WALL 5 2A 8 ${layer} 100 AcDbEntity 8 ${layer} 160 ${data.length} 310 ${data.toString('hex').toUpperCase()} 100 AecDbWall`
  const frozen = '0 TABLE 2 LAYER 70 1 0 LAYER 2 HIDDEN 70 1 62 7 6 CONTINUOUS 0 ENDTAB'
  const [seen, hidden] = await Promise.all([
    drawn(drawing(wall('0'))),
    drawn(drawing(wall('HIDDEN'), { tables: frozen })),
  ])
  t.strictSame(size(seen.svg), [50, 30])
  t.equal(hidden.svg, '')
})

t.test('what a DWG holds and its DXF lacks is added where it was, as lines of another program', async (t) => {
  const data = graphics([0, 0], [40, 0], [40, 20])
  const block =
    '0 SECTION 2 BLOCKS 0 BLOCK 5 20 330 1F 8 0 2 HOUSE 70 0 10 0 20 0 30 0 3 HOUSE 0 ENDBLK 5 21 330 1F 8 0 0 ENDSEC'
  const text = drawing('0 INSERT 5 2F 8 0 2 HOUSE 10 0 20 0 30 0 41 2 42 2').replace(
    '0\nSECTION\n2\nENTITIES',
    `${block.split(' ').join('\n')}\n0\nSECTION\n2\nENTITIES`,
  )
  const lines = text.trim().split('\n')
  const pairs = Array.from({ length: lines.length / 2 }, (_, at): [number, string] => [
    Number(lines[2 * at]),
    lines[2 * at + 1]!,
  ])
  t.ok(namesIn(pairs).written.has('2F'))
  const proxy: [number, string][] = [
    [0, 'ACAD_PROXY_ENTITY'],
    [5, '99'],
    [100, 'AcDbEntity'],
    [8, '0'],
    [100, 'AcDbProxyEntity'],
    [90, '498'],
    [92, String(data.length)],
    [310, data.toString('hex')],
  ]
  const inBlock = await drawn(textOf(completed(pairs, [{ block: '1F', pairs: proxy }])))
  const inModel = await drawn(textOf(completed(pairs, [{ block: undefined, pairs: proxy }])))
  t.strictSame(
    [size(inBlock.svg), size(inModel.svg)],
    [
      [80, 40],
      [40, 20],
    ],
  )
})

t.test('pictures outside the drawing are frames with their names', async (t) => {
  const place = '10 0 20 0 30 0 11 0.5 21 0 31 0 12 0 22 0.5 32 0 13 100 23 60'
  const image = `0 IMAGE 5 2A 330 1F 100 AcDbEntity 8 0 100 AcDbRasterImage 90 0 ${place} 340 B1 70 7 280 0 71 1 91 2 14 -0.5 24 -0.5 14 99.5 24 59.5`
  const file =
    '0 IMAGEDEF 5 B1 330 C 100 AcDbRasterImageDef 90 0 1 D:\\plans\\site.png 10 100 20 60 11 1 21 1 280 1 281 0'
  const { svg } = await drawn(drawing(image, { objects: file }))
  t.strictSame(size(svg), [50, 30])
  t.match(svg, />site\.png</)
})

t.test('tolerances are boxes with the signs of their font', async (t) => {
  const content = '{\\Fgdt;j}%%v{\\Fgdt;n}0.2%%v%%v%%v%%v'
  const { svg } = await drawn(
    drawing(`0 TOLERANCE 5 2A 100 AcDbEntity 8 0 100 AcDbFcf 3 STANDARD 10 0 20 0 30 0 1 ${content} 11 1 21 0 31 0`),
  )
  t.match(svg, /⌖/)
  t.match(svg, /⌀0\.2/)
  t.equal(svg.split('<path ').length - 1, 2)
})

t.test('a hatch that is too dense becomes a pale area', async (t) => {
  const path = '91 1 92 3 72 0 73 1 93 4 10 0 20 0 10 90 20 0 10 90 20 60 10 0 20 60 97 0'
  const head = '0 HATCH 5 2D 8 0 100 AcDbEntity 62 5 100 AcDbHatch 10 0 20 0 30 0 210 0 220 0 230 1 2 FINE 70 0 71 0'
  const hatch = (apart: number) =>
    `${head} ${path} 75 0 76 1 52 0 41 1 77 0 78 1 53 45 43 0 44 0 45 -${apart} 46 ${apart} 79 0 98 0`
  const [wide, dense] = await Promise.all([drawn(drawing(hatch(5))), drawn(drawing(hatch(0.0001)))])
  t.match(wide.svg, /stroke="#0000ff"/)
  t.match(dense.svg, /fill="#0000ff"[^>]*opacity/)
})

t.test('polylines and references without an end are drawn', async (t) => {
  const corner = (x: number, y: number) => `0 VERTEX 8 0 10 ${x} 20 ${y} 30 0`
  const line = '0 LINE 8 0 10 0 20 0 11 70 21 10'
  const open = `0 POLYLINE 8 0 66 1 10 0 20 0 30 0 ${corner(0, 0)} ${corner(70, 50)} ${line}`
  const { svg } = await drawn(drawing(open).replace('AC1015', 'AC1009'))
  t.strictSame([size(svg), svg.split('<path ').length - 1], [[70, 50], 2])
})
