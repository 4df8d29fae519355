/** SVG that browsers draw, but librsvg and Inkscape do not: variables of CSS, text by language, missing namespaces. */
import sharp from 'sharp'
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Colours at the middles of the left and the right half of a drawing. */
async function halves(svg: string, to: string) {
  const { bytes } = await convert(svg, 'svg', to)
  const png = to === 'png' ? bytes : (await convert(bytes, to, 'png')).bytes
  const picture = sharp(png).flatten({ background: '#fff' }).resize(40, 20, { fit: 'fill' }).raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return [10, 30].map((x) => {
    const at = (10 * info.width + x) * info.channels
    return [...data.subarray(at, at + 3)].map((part) => Math.round(part / 51))
  })
}

const svg = (...parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40">${parts.join('')}</svg>`
const left = (more: string) => `<rect width="40" height="40" ${more}/>`
const right = (more: string) => `<rect x="40" width="40" height="40" ${more}/>`
const [RED, BLUE] = [
  [5, 0, 0],
  [0, 0, 5],
]

const drawings: Record<string, string> = {
  'variables of a style sheet, and their fallbacks': svg(
    '<style>:root { --main: #f00; --other: var(--main) } .a { fill: var(--other) }</style>',
    ...[left('class="a"'), right('style="fill: var(--none, rgb(0, 0, 255))"')],
  ),
  'colours for light and dark pages': svg(
    left('style="fill: light-dark(#f00, #0f0)"'),
    right('style="fill: light-dark(rgb(0, 0, 255), black)"'),
  ),
  'content by language': svg(
    `<switch>${left('systemLanguage="de" fill="#0f0"')}${left('systemLanguage="en-GB, en" fill="#f00"')}</switch>`,
    `<switch>${right('systemLanguage="xx" fill="#0f0"')}${right('fill="#00f"')}</switch>`,
  ),
  'a root with a prefix': `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="80" height="40">
    <svg:rect width="40" height="40" fill="#f00"/><svg:rect x="40" width="40" height="40" fill="#00f"/></svg:svg>`,
  'prefixes that are not declared': `<svg width="80" height="40">
    <g id="a">${left('fill="#f00" custom:kind="x"')}</g>
    <g id="b">${left('fill="#00f"')}</g><use x="40" xlink:href="#b"/><use xlink:href="#a"/></svg>`,
}
for (const [name, drawing] of Object.entries(drawings))
  t.test(name, async (t) => {
    for (const to of ['png', 'pdf', 'eps', 'emf']) t.strictSame(await halves(drawing, to), [RED, BLUE], to)
  })

t.test('variables that refer to each other end, and optimising declares prefixes', async (t) => {
  const loop = svg('<style>rect { --a: var(--b); --b: var(--a); fill: var(--a) }</style>', left(''))
  t.equal((await convert(loop, 'svg', 'png')).paged, false)
  t.match(`${(await convert(drawings['prefixes that are not declared']!, 'svg', 'svg')).bytes}`, 'xmlns')
})
