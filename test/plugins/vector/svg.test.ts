/**
 * SVG that browsers draw, but librsvg and Inkscape do not: absurd sizes, variables of CSS, text by language or along
 * paths.
 */
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { drawing } from '../../../engines/programs/sharp/drawing.ts'
import type { Opening } from '../../../engines/programs/sharp/spec.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, file } = await bare(t, ['vector', 'image', 'document'])

const made = async (drawing: string | Buffer, pair: string) => (await convert(Buffer.from(drawing), pair)).bytes
/** Red, green and blue of a picture on white. */
const levels = (png: Buffer, width: number, height: number) =>
  sharp(png).flatten({ background: '#fff' }).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer()

const svg = (root: string, ...content: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${content.join('')}</svg>`
const halves = '<rect width="40" height="40" fill="red"/><rect x="40" width="40" height="40"/>'
const relative = '<rect width="50%" height="100%" fill="red"/>'
const box = 'viewBox="0 0 80 40"'

/** As the service renders it, without its sandbox. */
async function rendered(content: string): Promise<Buffer> {
  const { document, density } = await drawing({
    input: await file('drawing.svg', content),
    from: 'svg',
    box: { fit: 'inside' },
  } as Opening)
  return sharp(document, { density }).png().toBuffer()
}

/** Size at 96 dpi, and whether the left half is red and the right half is not. */
async function seen(png: Buffer) {
  const { width, height } = await sharp(png).metadata()
  const data = await levels(png, 4, 2)
  const red = [3, 6].map((at) => data[at]! > 150 && data[at + 1]! < 100)
  return [Math.round((width! * 96) / 150), Math.round((height! * 96) / 150), ...red]
}

t.test('absurd sizes: the view box counts, else the content', async (t) => {
  const asContent = [80, 40, true, false]
  const cases: readonly [root: string, content?: string, wanted?: unknown[]][] = [
    ...['width="1e9" height="5e8"', 'width="-80" height="-40"', 'width="0" height="0"'].flatMap(
      (size): [string, string, unknown[]][] => [
        [`${size} ${box}`, halves, asContent],
        [size, relative, [300, 150, true, false]],
      ],
    ),
    [box],
    [`width="100%" height="100%" ${box}`],
    ['viewBox="0 0 1e9 5e8"', relative, [1024, 512, true, false]],
    ...['0 0 0 0', '0 0 -80 40', '0 0 NaN 40', 'none'].map((wrong): [string, string, unknown[]] => [
      `viewBox="${wrong}"`,
      relative,
      [300, 150, true, false],
    ]),
    ['', `<defs><linearGradient id="g" x1="0%" x2="100%"><stop/></linearGradient></defs>${halves}`],
    // Somebody can mean this.
    [`width="200mm" height="100mm" ${box}`, halves, [756, 378, true, false]],
  ]
  for (const [root, content = halves, wanted = asContent] of cases)
    t.same(await seen(await rendered(svg(root, content))), wanted, `${root} ${content}`)
  const large = Buffer.from(svg(`width="90000" height="45000" ${box}`, halves))
  t.equal((await failure(large, 'svg>png')).code, 'RESOURCE_LIMIT')
})

const left = (more: string) => `<rect width="40" height="40" ${more}/>`
const right = (more: string) => `<rect x="40" width="40" height="40" ${more}/>`
const undeclared = `<svg width="80" height="40">
    <g id="a">${left('fill="#f00" custom:kind="x"')}</g>
    <g id="b">${left('fill="#00f"')}</g><use x="40" xlink:href="#b"/><use xlink:href="#a"/></svg>`
const size = `width="80" height="40" ${box}`
const mended: Record<string, string> = {
  'variables of a style sheet, and their fallbacks': svg(
    size,
    '<style>:root { --main: #f00; --other: var(--main) } .a { fill: var(--other) }</style>',
    ...[left('class="a"'), right('style="fill: var(--none, rgb(0, 0, 255))"')],
  ),
  'colours for light and dark pages': svg(
    ...[size, left('style="fill: light-dark(#f00, #0f0)"'), right('style="fill: light-dark(rgb(0, 0, 255), black)"')],
  ),
  'content by language': svg(
    size,
    `<switch>${left('systemLanguage="de" fill="#0f0"')}${left('systemLanguage="en-GB, en" fill="#f00"')}</switch>`,
    `<switch>${right('systemLanguage="xx" fill="#0f0"')}${right('fill="#00f"')}</switch>`,
  ),
  'a root with a prefix': `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="80" height="40">
    <svg:rect width="40" height="40" fill="#f00"/><svg:rect x="40" width="40" height="40" fill="#00f"/></svg:svg>`,
  'prefixes that are not declared': undeclared,
}

t.test('what browsers draw', async (t) => {
  for (const [name, content] of Object.entries(mended)) {
    const data = await levels(await rendered(content), 40, 20)
    const colours = [10, 30].flatMap((x) => [...data.subarray((400 + x) * 3, (400 + x) * 3 + 3)])
    t.strictSame(
      colours.map((part) => Math.round(part / 51)),
      [5, 0, 0, 0, 0, 5],
      name,
    )
  }
  const loop = svg(size, '<style>rect { --a: var(--b); --b: var(--a); fill: var(--a) }</style>', left(''))
  t.ok((await rendered(loop)).length, 'variables that refer to each other end')
  t.match(`${await made(undeclared, 'svg>svg')}`, 'xmlns', 'optimising declares prefixes')
})

/** Two lines of text on a slope, styled by a style sheet, an attribute and a group, above a line of plain text. */
const sloping = (namespace: string, href: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${namespace}
  width="400" height="300"><style>.sign { fill: #f00; font-family: DejaVu Sans } g text { font-weight: bold }</style>
  <defs><path id="slope" d="M 20 200 L 300 20"/></defs>
  <g font-size="30"><text class="sign"><textPath ${href}="#slope">Along the red path</textPath></text>
  <text fill="#00f" transform="translate(60 60)"><textPath ${href}="#slope">Blue below <tspan>it</tspan></textPath></text></g>
  <text x="20" y="290" font-size="20">Plain words</text></svg>`

/** How much of a picture is red, and how much blue, per mille. */
async function inks(png: Buffer) {
  const data = await levels(png, 400, 300)
  const counts = { red: 0, blue: 0 }
  for (let at = 0; at < data.length; at += 3) {
    const [red, green, blue] = data.subarray(at, at + 3) as unknown as [number, number, number]
    if (red > 180 && green < 90 && blue < 90) counts.red++
    if (blue > 180 && green < 90 && red < 90) counts.blue++
  }
  return { red: (1000 * counts.red) / (400 * 300), blue: (1000 * counts.blue) / (400 * 300) }
}

t.test('text along a path is drawn in its colours, and other text stays text', async (t) => {
  const plain = sloping('', 'href')
  const { red, blue } = await inks(await made(plain, 'svg>png'))
  t.ok(red > 15 && red < 80 && blue > 8 && blue < 60, `${red} ‰ red, ${blue} ‰ blue`)
  const packed = await made(sloping('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xlink:href'), 'svg>svgz')
  t.match(gunzipSync(packed).toString(), '<textPath', 'text stays text in SVG')
  const pdf = await convert(Buffer.from(plain), 'svg>pdf')
  t.match((await program('pdftotext', pdf.path, '-')).toString(), 'Plain words')
  const lost = plain.replaceAll('="#slope"', '="#nowhere"')
  const data = await levels(await made(lost, 'svg>png'), 400, 300)
  t.ok(Math.min(...data.subarray(270 * 400 * 3)) < 80, 'without its path, a text is lost and nothing else')
})

/** Two boxes with labels in HTML, one of which needs more room than its box, and a script. */
const diagram = (label: string) =>
  svg(
    'width="100%" viewBox="0 0 200 100"',
    '<style>.box { fill: #ececff } p { margin: 0; font: 16px sans-serif; white-space: nowrap }</style>',
    '<rect class="box" x="20" y="20" width="160" height="60"/>',
    `<foreignObject x="30" y="30" width="40" height="24"><div xmlns="http://www.w3.org/1999/xhtml">${label}</div></foreignObject>`,
    '<script>document.querySelector("rect").remove()</script>',
  )

t.test('labels in HTML are drawn', async (t) => {
  const labels = ['<p>Order&nbsp;placed<br>&amp; paid</p>']
  for (const source of labels.map(diagram)) {
    const { path } = await convert(Buffer.from(source), 'svg>pdf')
    t.match((await program('pdftotext', path, '-')).toString(), /^Order\splaced/, 'as text')
    const [width, height] = /Page size: +([\d.]+) x ([\d.]+)/
      .exec(`${await program('pdfinfo', path)}`)!
      .slice(1)
      .map(Number)
    t.ok(Math.abs(width! - 150) < 0.3 && Math.abs(height! - 75) < 0.3, `${width} × ${height} points`)
    const png = sharp(await made(source, 'svg>png')).ensureAlpha()
    const { data, info } = await png.raw().toBuffer({ resolveWithObject: true })
    t.equal(data[3], 0, 'transparent around the boxes')
    const at = (x: number, y: number) => (y * info.width + x) * 4
    const inks = Array.from({ length: 24 }, (_, row) => data[at(Math.round((info.width * 110) / 200), 50 + row)]!)
    t.ok(Math.min(...inks) < 128, 'complete beside their box')
    t.ok(data[at(info.width - 40, info.height - 40) + 2]! > 240, 'scripts do not run')
  }
})
