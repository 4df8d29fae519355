/** How drawings in metafiles look in another program than the one that wrote them. */
import sharp from 'sharp'
import t from 'tap'
import { emf } from '../../fixtures/emf.ts'
import { studio } from '../../harness/studio.ts'
import { human, near } from '../image/pictures.ts'

t.setTimeout(60 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const svg = (...parts: string[]) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${parts.join('')}</svg>`)
const square = (more = '') => `<rect x="20" y="20" width="60" height="60" fill="#080"${more}/>`
const gradient =
  '<defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>'
const filled = svg(gradient, '<rect width="100" height="100" fill="url(#g)"/>')
const mask = '<mask id="m"><circle cx="50" cy="50" r="20" fill="#fff"/></mask>'
const clips =
  '<clipPath id="c"><circle cx="50" cy="50" r="20"/></clipPath><clipPath id="h"><path d="M0 0H50V100H0z"/></clipPath>'
const green = [0, 128, 0]
const white = [255, 255, 255]

/** Just left of the middle of the square, and near its lower left corner, in parts of the width and height. */
const inside = [0.23, 0.5] as const
const corner = [0.12, 0.77] as const
type Seen = readonly [place: readonly [number, number], colour: readonly number[]]
const cases: readonly [name: string, to: string, drawing: Buffer, ...seen: Seen[]][] = [
  ...['emf', 'wmf'].map((to): [string, string, Buffer, ...Seen[]] => [
    ...(['a gradient', to, filled] as const),
    ...([
      [
        [0.02, 0.5],
        [255, 0, 0],
      ],
      [
        [0.48, 0.5],
        [0, 0, 255],
      ],
      [[0.9, 0.1], white],
    ] as const),
  ]),
  ['transparency', 'emf', svg(square(' opacity=".5"')), [inside, [127, 191, 127]], [[0.05, 0.77], white]],
  ['a mask', 'emf', svg(mask, `<g mask="url(#m)">${square()}</g>`), [inside, green], [corner, white]],
  [
    ...(['a clip in a clip', 'emf'] as const),
    svg(clips, `<g clip-path="url(#h)"><g clip-path="url(#c)">${square()}</g></g>`),
    ...([
      [inside, green],
      [corner, white],
    ] as const),
  ],
  ['a use', 'emf', svg(`<defs><g id="s">${square()}</g></defs><use href="#s"/>`), [inside, green], [corner, green]],
]

for (const [name, to, drawing, ...seen] of cases)
  t.test(`${name} in ${to}`, async (t) => {
    const { bytes } = await convert((await convert(drawing, `svg>${to}`)).bytes, `${to}>png`)
    const { data, info } = await sharp(bytes)
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const [[x, y], colour] of seen) {
      const at = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels
      t.ok(near([...data.subarray(at, at + 3)], colour, 30), `${[...data.subarray(at, at + 3)]} at ${x}, ${y}`)
    }
  })

t.test('a damaged metafile is refused or converted', async (t) => {
  const { code, message } = await failure(Buffer.from('No drawing at all. '.repeat(50)), 'emf>svg')
  t.equal(code, 'CONVERSION_ERROR')
  t.match(message, human)
  const cut = await failure(emf().subarray(0, Math.floor(emf().length * 0.6)), 'emf>svg')
  t.match(cut.code, /^(CONVERSION_ERROR|made \d+ bytes)$/)
})
