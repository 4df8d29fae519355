/** Drawings in metafiles, which have no gradients, masks and transparency: what they cannot hold becomes a picture. */
import sharp from 'sharp'
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

const svg = (...parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${parts.join('')}</svg>`
const gradient =
  '<defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>'
const square = '<rect x="20" y="20" width="60" height="60" fill="#080"/>'
const text = '<text x="120" y="60" font-family="Arial" font-size="20">Words</text>'

/** The types of the records of an enhanced metafile (MS-EMF, section 2.1.1). */
function records(emf: Buffer): Set<number> {
  const types = new Set<number>()
  for (let at = 0; at < emf.length; at += emf.readUInt32LE(at + 4)) types.add(emf.readUInt32LE(at))
  return types
}
const [PATH, BITMAP] = [59, 81]

/** Reads colours of a metafile at places in parts of its width and height. Another program draws it than wrote it. */
async function colours(metafile: Buffer, format: string, ...places: [number, number][]) {
  const { bytes } = await convert(metafile, format, 'png')
  const { data, info } = await sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true })
  return places.map(([x, y]) => {
    const at = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels
    return [...data.subarray(at, at + 3)]
  })
}

const near = (colour: number[], wanted: number[]) => colour.every((part, at) => Math.abs(part - wanted[at]!) < 30)

t.test('a plain drawing stays vectors', async (t) => {
  const { bytes } = await convert(svg(square, text), 'svg', 'emf')
  t.notOk(records(bytes).has(BITMAP))
  t.ok(records(bytes).has(PATH))
})

for (const to of ['emf', 'wmf'])
  t.test(`a gradient keeps its colours in ${to}, and what is before it stays vectors`, async (t) => {
    const { bytes } = await convert(svg(gradient, '<rect width="100" height="100" fill="url(#g)"/>', text), 'svg', to)
    const [left, right, paper] = await colours(bytes, to, [0.02, 0.5], [0.48, 0.5], [0.9, 0.1])
    t.ok(near(left!, [255, 0, 0]), `${left}`)
    t.ok(near(right!, [0, 0, 255]), `${right}`)
    t.ok(near(paper!, [255, 255, 255]), `${paper}`)
    if (to === 'emf') t.ok(records(bytes).has(BITMAP) && records(bytes).has(PATH))
  })

const circle = '<clipPath id="c"><circle cx="50" cy="50" r="20"/></clipPath>'
const half = '<clipPath id="h"><path d="M0 0H50V100H0z"/></clipPath>'
const features: Record<string, [drawing: string, inside: number[], outside: number[]]> = {
  transparency: [svg(square.replace('/>', ' opacity=".5"/>')), [127, 191, 127], [255, 255, 255]],
  'a mask': [
    svg('<mask id="m"><circle cx="50" cy="50" r="20" fill="#fff"/></mask>', `<g mask="url(#m)">${square}</g>`),
    ...([
      [0, 128, 0],
      [255, 255, 255],
    ] as [number[], number[]]),
  ],
  'a clip in a clip': [
    svg(circle, half, `<g clip-path="url(#h)"><g clip-path="url(#c)">${square}</g></g>`),
    ...([
      [0, 128, 0],
      [255, 255, 255],
    ] as [number[], number[]]),
  ],
  'a use without the prefix xlink': [
    svg(`<defs><g id="s">${square}</g></defs><use href="#s"/>`),
    ...([
      [0, 128, 0],
      [0, 128, 0],
    ] as [number[], number[]]),
  ],
}
for (const [name, [drawing, inside, outside]] of Object.entries(features))
  t.test(`${name} looks the same in emf`, async (t) => {
    const { bytes } = await convert(drawing, 'svg', 'emf')
    // Just left of the middle of the square, and near its lower left corner.
    const places = await colours(bytes, 'emf', [0.23, 0.5], [name === 'transparency' ? 0.05 : 0.12, 0.77])
    t.ok(near(places[0]!, inside), `${places[0]}`)
    t.ok(near(places[1]!, outside), `${places[1]}`)
  })
