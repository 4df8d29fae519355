/** SVG with text along a path, which librsvg leaves out. */
import { execFileSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Two lines of text on a slope, styled by a style sheet, an attribute and a group, above a line of plain text. */
const drawing = (namespace: string, href: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${namespace}
  width="400" height="300"><style>.sign { fill: #f00; font-family: DejaVu Sans } g text { font-weight: bold }</style>
  <defs><path id="slope" d="M 20 200 L 300 20"/></defs>
  <g font-size="30"><text class="sign"><textPath ${href}="#slope">Along the red path</textPath></text>
  <text fill="#00f" transform="translate(60 60)"><textPath ${href}="#slope">Blue below <tspan>it</tspan></textPath></text></g>
  <text x="20" y="290" font-size="20">Plain words</text></svg>`
const svg = drawing('', 'href')

/** How much of a picture is red, and how much blue, per mille. */
async function colours(bytes: Buffer) {
  const picture = sharp(bytes).flatten({ background: '#fff' }).resize(400, 300, { fit: 'fill' }).removeAlpha().raw()
  const data = await picture.toBuffer()
  const counts = { red: 0, blue: 0 }
  for (let at = 0; at < data.length; at += 3) {
    const [red, green, blue] = data.subarray(at, at + 3) as unknown as [number, number, number]
    if (red > 180 && green < 90 && blue < 90) counts.red++
    if (blue > 180 && green < 90 && red < 90) counts.blue++
  }
  return { red: (1000 * counts.red) / (400 * 300), blue: (1000 * counts.blue) / (400 * 300) }
}

const pdftotext = (pdf: Buffer) => execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })

t.test('text along a path is drawn in its colours, in every target', async (t) => {
  for (const to of ['png', 'jpg', 'webp', 'pdf', 'eps', 'emf']) {
    const { bytes } = await convert(svg, 'svg', to)
    const { red, blue } = await colours(to === 'png' ? bytes : (await convert(bytes, to, 'png')).bytes)
    t.ok(red > 15 && red < 80 && blue > 8 && blue < 60, `${to}: ${red} ‰ red, ${blue} ‰ blue`)
  }
})

t.test('the name of references as SVG 1.1 has it, compressed', async (t) => {
  const old = drawing('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xlink:href')
  const { bytes } = await convert(svg, 'svg', 'svgz')
  t.match(gunzipSync(bytes).toString(), '<textPath', 'text stays text in SVG')
  for (const [from, source] of [['svg', old] as const, ['svgz', bytes] as const]) {
    const { red } = await colours((await convert(source, from, 'png')).bytes)
    t.ok(red > 15, `${from}: ${red} ‰ red`)
  }
})

t.test('other text stays text', async (t) => {
  t.match(pdftotext((await convert(svg, 'svg', 'pdf')).bytes), 'Plain words')
})

t.test('outlines in dxf', async (t) => {
  const count = async (drawing: string) =>
    (await convert(drawing, 'svg', 'dxf')).bytes.toString('latin1').match(/\n\s*(LINE|SPLINE|VERTEX|LWPOLYLINE)\r?\n/g)!
      .length
  const plain = await count(svg.replace(/<g font[\s\S]*<\/g>/, ''))
  t.ok((await count(svg)) > 2 * plain)
})

t.test('a path that does not exist loses its text and nothing else', async (t) => {
  const lost = svg.replaceAll('="#slope"', '="#nowhere"')
  const { data } = await sharp((await convert(lost, 'svg', 'png')).bytes)
    .flatten({ background: '#fff' })
    .resize(400, 300)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  t.ok(data.subarray(270 * 400).some((level) => level < 80))
})
