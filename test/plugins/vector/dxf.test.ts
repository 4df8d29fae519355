/** DXF drawings of other programs: binary ones, those that omit required parts, and those with something far away. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'

t.setTimeout(30 * 60_000)

// A drawing is a list of codes and values, here in one line.
const HEADER = '0 SECTION 2 HEADER 9 $ACADVER 1 AC1015 9 $INSUNITS 70 4 0 ENDSEC'
const entities = (...all: string[]) => ['0 SECTION 2 ENTITIES', ...all, '0 ENDSEC 0 EOF'].join(' ')
const line = (colour = 5, layer = '0') => `0 LINE 8 ${layer} 62 ${colour} 10 0 20 0 11 90 21 60`
const text = (...all: string[]) => `${[HEADER, entities(...all)].join(' ').split(' ').join('\n')}\n`

const own = fileURLToPath(new URL('../../../engines/programs/dxf', import.meta.url))
/** Draws every file of a folder with our program, in one process. */
const script = `import os, sys
folder, count = sys.argv[1], int(sys.argv[2])
sys.path.insert(0, '${own}')
sys.argv = ['draw.py', folder + '/0.dxf', folder + '/0.svg']
import draw
for at in range(1, count):
    draw.main(f'{folder}/{at}.dxf', f'{folder}/{at}.svg')`

/** Draws drawings as SVG. */
const drawn = (...drawings: (string | Buffer)[]): Promise<string[]> =>
  withFolder(async (folder) => {
    await Promise.all(drawings.map((drawing, at) => writeFile(`${folder}/${at}.dxf`, drawing)))
    await program('/usr/bin/python3', '-c', script, folder, drawings.length)
    return Promise.all(drawings.map((_, at) => readFile(`${folder}/${at}.svg`, 'latin1')))
  })
const paths = async (...drawings: (string | Buffer)[]) =>
  (await drawn(...drawings)).map((svg) => [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path!))
const counts = async (...drawings: (string | Buffer)[]) => (await paths(...drawings)).map(({ length }) => length)
const strokesOf = (svg: string) => [...svg.matchAll(/stroke="(#\w+)"/g)].map(([, colour]) => colour!)

t.test('entities without subclass markers are drawn', async (t) => {
  const knots = '40 0 40 0 40 0 40 0 40 1 40 1 40 1 40 1'
  const points = '10 0 20 0 30 0 10 30 20 30 30 0 10 60 20 0 30 0 10 90 20 30 30 0'
  const spline = `0 SPLINE 5 2A 8 0 70 8 71 3 72 8 73 4 ${knots} ${points}`
  const polyline = '0 LWPOLYLINE 5 2B 8 0 90 3 70 1 10 0 20 0 10 90 20 0 10 90 20 60'
  const [curve, all] = await paths(text(spline), text(spline, polyline, line()))
  t.match(curve, [/C/])
  t.equal(all!.length, 3)
})

t.test('a damaged entity is skipped, and the rest of the drawing is kept', async (t) => {
  const hatch = '0 HATCH 5 2C 8 0 100 AcDbEntity 100 AcDbHatch 91 5 92 7'
  const surface =
    '0 SWEPTSURFACE 5 2E 8 0 100 AcDbEntity 100 AcDbModelerGeometry 100 AcDbSurface 100 AcDbSweptSurface 40 1'
  const viewport = '0 VIEWPORT 5 2F 8 0 67 1 10 0 20 0 30 0 40 9 41 9 68 1 69 2'
  const r12 = text(viewport, line()).replace('AC1015', 'AC1009')
  t.strictSame(await counts(text(surface, line()), r12), [1, 1])
  const [svg] = await drawn(text('0 TEXT 8 0 10 0 20 0 40 5 1 \\U+00e9t\\U+00E9'))
  t.match(Buffer.from(svg!, 'latin1').toString(), /été/)
  t.strictSame(await counts(text(hatch, line()), text(line().replace('11 90', '11 1e400'), line())), [1, 1])
})

t.test('pale and white lines are visible on white paper, and keep their colour on areas', async (t) => {
  const area = '0 SOLID 8 0 62 1 10 20 20 10 11 40 21 10 12 20 22 30 13 40 23 30'
  const across = (y: number) => `0 LINE 8 0 62 2 10 20 20 ${y} 11 40 21 ${y}`
  const drawings = [[line(2)], [line(1)], [line(255)], [area, across(20), across(50)]].map((all) => text(...all))
  const [[yellow], red, white, [inside, beside]] = (await drawn(...drawings)).map(strokesOf) as [
    ...[[string], string[], string[], string[]],
  ]
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(yellow.slice(at, at + 2), 16))
  t.ok(r === g && b === 0 && r! < 200, `yellow becomes ${yellow}`)
  t.strictSame(red, ['#ff0000'], 'red stays')
  t.match(white, [/^#000/], 'white becomes black')
  t.equal(inside, '#ffff00')
  t.not(beside, '#ffff00')
})

t.test('a gradient hatch keeps its colours', async (t) => {
  const path = '91 1 92 3 72 0 73 1 93 3 10 0 20 0 10 90 20 0 10 90 20 60 97 0'
  const colours = `450 1 451 0 460 ${Math.PI / 2} 461 0 452 0 462 0 453 2 463 0 63 1 421 ${0xff0000} 463 1 63 5 421 ${0x0000ff} 470 LINEAR`
  const head = '0 HATCH 5 2D 8 0 100 AcDbEntity 100 AcDbHatch 10 0 20 0 30 0 210 0 220 0 230 1 2 SOLID 70 1 71 0'
  const [svg = ''] = await drawn(text(`${head} ${path} 75 0 76 1 98 0 ${colours}`))
  const [, name] = /<linearGradient id="(\w+)"[^>]*y1="1\.0000"[^>]*>.*#ff0000.*#0000ff/.exec(svg) ?? []
  t.ok(name, 'upwards from red to blue')
  t.match(svg, `fill="url(#${name})"`)
})

t.test('a dimension is drawn without lines of its own', async (t) => {
  const head = '0 DIMENSION 5 2A 8 0 100 AcDbEntity 100 AcDbDimension 10 0 20 10 30 0 11 45 21 12 31 0 70 32'
  const ends = '100 AcDbAlignedDimension 13 0 23 0 33 0 14 90 24 0 34 0 50 0 100 AcDbRotatedDimension'
  const [svg = ''] = await drawn(text(`${head} ${ends}`))
  t.match(svg, />90</)
  t.ok(svg.split('<path ').length > 3, 'lines and arrows')
})

t.test('letters below their line are not cut off', async (t) => {
  const lines = (word: string) => text(`0 TEXT 8 0 10 0 20 0 40 5 1 ${word}`)
  const [flat, deep] = (await drawn(lines('HOUSE'), lines('gypsy'))).map((svg) => {
    const [, height] = /<svg[^>]* height="([\d.]+)"/.exec(svg)!
    const [, base] = /matrix\([^)]* ([\d.]+)\)/.exec(svg)!
    return (Number(height) - Number(base)) / Number(height)
  })
  t.equal(flat, 0)
  t.ok(deep! > 0.18 && deep! < 0.2, `${deep} of the height is below the line`)
})

t.test('words are as far apart as their letters need, also in narrow fonts', async (t) => {
  const style = '0 STYLE 2 NARROW 70 0 40 0 41 1 50 0 71 0 42 2.5 3 arialn.ttf'
  const tables = `0 SECTION 2 TABLES 0 TABLE 2 STYLE 70 1 ${style} 0 ENDTAB 0 ENDSEC`
  const words = (name: string) => `0 MTEXT 5 2A 8 0 10 0 20 0 30 0 40 5 41 90 71 1 7 ${name} 1 {\\C1;one}~two`
  const drawing = (name: string) =>
    `${[HEADER, tables, entities(words(name))].join(' ').split(' ').join('\n').replace('~', ' ')}\n`
  for (const [at, svg] of (await drawn(drawing('WIDE'), drawing('NARROW'))).entries()) {
    const [first, second] = [...svg.matchAll(/matrix\((\S+) \S+ \S+ \S+ (\S+) \S+\)" font-size="([\d.]+)/g)]
    const width = at ? 0.82 : 1
    t.equal(Number(first?.[1]), width)
    const apart = (Number(second?.[2]) - Number(first?.[2])) / Number(first?.[3])
    t.ok(Math.abs(apart - 1.946 * width) < 0.01, `${apart} of the font size from word to word`)
  }
})

t.test('a line type that is too dense is drawn solid', async (t) => {
  const type = '0 LTYPE 2 FINE 70 0 3 _ 72 65 73 2 40 2 49 1 49 -1'
  const tables = `0 SECTION 2 TABLES 0 TABLE 2 LTYPE 70 1 ${type} 0 ENDTAB 0 ENDSEC`
  const long = (length: number) => {
    const dashed = `0 LINE 8 0 6 FINE 62 5 10 0 20 0 11 ${length} 21 0`
    return `${[HEADER, tables, entities(dashed)].join(' ').split(' ').join('\n')}\n`
  }
  t.strictSame(await counts(long(20), long(5_000_000)), [10, 1])
})

const stretch = (x: number, y: number, length = 50) =>
  `0 LINE 8 0 10 ${x} 20 ${y} 30 0 11 ${x + length} 21 ${y + length} 31 0`
const point = (x: number, y: number) => `0 POINT 8 0 10 ${x} 20 ${y} 30 0`
const words = (x: number, y: number) => `0 TEXT 8 0 10 ${x} 20 ${y} 30 0 40 2.5 1 Far-away`

/** Width and height in millimetres, and the number of pieces. */
function seen(svg: string) {
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg)!
  const millimetres = [width, height].map((side) => Math.round((Number(side) * 25.4) / 96))
  return [...millimetres, svg.match(/<(path|circle|text) /g)!.length]
}

const ten = Array.from({ length: 10 }, (_, at) => stretch(5 * at, 0))
const model = Array.from({ length: 300 }, (_, at) => stretch(at % 20, Math.floor(at / 20)))

t.test('strays are left out, but no content', async (t) => {
  const far = ten.map((one) => one.replace('20 0 30', '20 100000 30'))
  const cases: Record<string, [drawing: string[], seen: (number | undefined)[]]> = {
    'a point': [
      [...ten, point(1e7, 1e7)],
      [95, 50, 10],
    ],
    'a tiny line': [
      [...ten, stretch(0, 1e6, 1)],
      [95, 50, 10],
    ],
    'a text': [
      [...ten, words(-1e9, -1e9)],
      [95, 50, 10],
    ],
    several: [
      [...model, point(1e7, 0), point(0, 1e7), words(-1e7, 0)],
      [69, 64, 300],
    ],
    'content ten times as far as the drawing is wide': [
      [...ten, stretch(950, 0)],
      [1000, 50, 11],
    ],
    // Of the others, only the number of pieces.
    'two drawings far apart': [[...ten, ...far, point(0, 0)], [21]],
    'few lines far apart': [[stretch(0, 0, 1), stretch(1e5, 0, 1), stretch(2e5, 0, 1)], [3]],
    'something large far away': [[...ten, stretch(0, 1e6, 5e6)], [11]],
  }
  const svgs = await drawn(...Object.values(cases).map(([drawing]) => text(...drawing)))
  for (const [at, [name, [, wanted]]] of Object.entries(cases).entries())
    t.strictSame(seen(svgs[at]!).slice(-wanted.length), wanted, name)
})

/**
 * Writes a drawing with two layouts as text whose dictionary has lost entries, one with a line break as binary, and a
 * text in one column without a width, which is as high as a line, as AutoCAD writes it.
 */
const written = `import re, sys
sys.modules['matplotlib'] = None
import ezdxf
from ezdxf.entities.mtext import MTextColumns
lost, binary, column = sys.argv[1:]
drawing = ezdxf.new('R2013')
drawing.modelspace().add_line((0, 0), (90, 60))
drawing.modelspace().add_text('one\\ntwo')
drawing.saveas(binary, fmt='bin')
drawing.layouts.new('A')
drawing.layouts.new('B')
drawing.layouts.delete('Layout1')
drawing.saveas(lost)
text = open(lost).read()
nothing = '  3\\n\\n350\\n0\\n'
entry = re.search(r'  3\\nModel\\n350\\n[0-9A-F]+\\n', text)[0]
open(lost, 'w').write(text.replace(entry, nothing + entry + nothing))
drawing = ezdxf.new('R2018')
mtext = drawing.modelspace().add_mtext('one two three', dict(char_height=5, width=100, bg_fill=1, box_fill_scale=143))
mtext._columns = MTextColumns.new_static_columns(1, 0, 0, 5)
drawing.saveas(column)`

t.test('layouts with lost names, line breaks in binary drawings, and texts in one column', async (t) => {
  const drawings = await withFolder(async (folder) => {
    const files = ['lost', 'binary', 'column'].map((name) => `${folder}/${name}.dxf`)
    await program('/usr/bin/python3', '-c', written, ...files)
    return Promise.all(files.map((file) => readFile(file)))
  })
  const [lost, binary, column] = await drawn(...drawings)
  t.match(lost, /<path /)
  t.match(binary, />one/)
  t.match(column, />one two three</)
})
