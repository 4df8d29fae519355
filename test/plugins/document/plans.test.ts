/** Drawings of CAD programs on paper. */
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { pdfFacts } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made } = reader(own)

const MM = 72 / 25.4
const PIXELS = 100 / 25.4

/** A frame of 180 by 100 with a text, all multiplied by `scale` and moved by `from`. */
function plan({ scale = 1, from = 0, unit = 0 }) {
  const at = (x: number, y: number, first = 10) => `${first} ${from + x * scale} ${first + 10} ${from + y * scale}`
  const ends = [
    [0, 0],
    [180, 0],
    [180, 100],
    [0, 100],
    [0, 0],
  ].map(([x, y]) => [x!, y!] as const)
  const lines = ends.slice(1).map(([x, y], index) => `0 LINE 8 0 ${at(...ends[index]!)} ${at(x, y, 11)}`)
  const text = `0 TEXT 8 0 ${at(40, 40)} 40 ${20 * scale} 1 Plan`
  const head = `0 SECTION 2 HEADER 9 $ACADVER 1 AC1018 9 $INSUNITS 70 ${unit} 0 ENDSEC 0 SECTION 2 ENTITIES`
  return `${[head, ...lines, text, '0 ENDSEC 0 EOF'].join(' ').split(' ').join('\n')}\n`
}

/** The size of the page, the place of what is drawn on it, and the height of the text, in millimetres. */
async function plotted(dxf: string) {
  const { path } = await made(dxf, 'dxf>pdf')
  const [, across, down] = /^([\d.]+) x ([\d.]+)/.exec((await pdfFacts(path))['Page size']!)!.map(Number)
  await program('pdftoppm', '-png', '-singlefile', '-r', '100', path, path)
  const drawn = sharp(`${path}.png`).trim({ background: '#fff', threshold: 3 })
  const { info: ink } = await drawn.toBuffer({ resolveWithObject: true })
  const words = (await program('pdftotext', '-bbox', path, '-')).toString()
  const [, low, high] = /yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">Plan/.exec(words)!.map(Number)
  const sizes = { page: [across! / MM, down! / MM], drawing: [ink.width / PIXELS, ink.height / PIXELS] }
  const left = -ink.trimOffsetLeft! / PIXELS
  const top = -ink.trimOffsetTop! / PIXELS
  const margins = [left, top, sizes.page[0]! - left - sizes.drawing[0]!, sizes.page[1]! - top - sizes.drawing[1]!]
  return { ...sizes, margin: Math.min(...margins), text: (high! - low!) / MM }
}

const near = (t: Test, got: readonly number[], wanted: readonly number[], what: string) =>
  t.ok(
    got.every((one, index) => Math.abs(one - wanted[index]!) < 1),
    `${what}: ${got.map((one) => one.toFixed(1))} mm`,
  )

t.test('a drawing with a unit has its real size, on the smallest paper that holds it with margins', async (t) => {
  for (const [change, paper, size] of [
    [{ unit: 4 }, [297, 210], [180, 100]],
    [{ unit: 1, scale: 1 / 25.4 }, [297, 210], [180, 100]],
    [{ unit: 4, scale: 2 }, [420, 297], [360, 200]],
  ] as const) {
    const { page, drawing, margin } = await plotted(plan(change))
    near(t, page, paper, `page of ${JSON.stringify(change)}`)
    near(t, drawing, size, 'drawing')
    t.ok(margin > 9.5)
  }
})

t.test('other drawings are fitted to A4, whatever their coordinates', async (t) => {
  for (const place of [
    { scale: 1e7, from: 1e9 },
    { scale: 1, from: 5.4e6, unit: 6 },
  ]) {
    const { page, drawing, margin, text } = await plotted(plan(place))
    near(t, page, [297, 210], JSON.stringify(place))
    near(t, drawing, [277, 154], 'drawing')
    near(t, [margin], [10], 'margin')
    t.ok(text > 25 && text < 60, `text of ${text.toFixed(1)} mm`)
  }
})
