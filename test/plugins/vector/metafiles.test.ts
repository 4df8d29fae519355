/** Drawings in metafiles, which have no gradients, masks and transparency: what they cannot hold becomes a picture. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import t from 'tap'
import { folderOf } from '../../harness/folder.ts'
import { runInside } from '../../harness/inside.ts'
import { bare } from '../bare.ts'
import { near } from '../image/pictures.ts'

t.setTimeout(30 * 60_000)
const folder = await folderOf(t)
const split = fileURLToPath(new URL('../../../engines/programs/svg/split.ts', import.meta.url))

const svg = (size: string, ...parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join('')}</svg>`
const size = 'width="200" height="100"'
const square = (more = '') => `<rect id="s" x="20" y="20" width="60" height="60" fill="#080"${more}/>`
const text = '<text x="120" y="60">Words</text>'
const gradient = '<linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>'
const filled = `<defs>${gradient}</defs><rect id="f" width="100" height="100" fill="url(#g)"/>`

/** What is behind and in front of a drawing, by the program alone; front is undefined if all are vectors. */
async function parts(drawing: string) {
  const [input, behind, front, picture] = ['in.svg', 'behind.svg', 'front.svg', 'behind.png'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  await writeFile(input, drawing)
  await sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } }).toFile(picture)
  const { stdout } = await runInside(split, ['behind', 'emf', input, behind])
  await runInside(split, ['front', 'emf', input, front, picture, '192'])
  const read = (path: string) => readFile(path, 'utf8')
  return { rich: stdout.split('\n').includes('rich'), behind: await read(behind), front: await read(front) }
}

t.test('what becomes a picture', async (t) => {
  for (const [what, isRich, ...content] of [
    ['plain shapes', false, square(), text],
    ['a use without the prefix xlink', false, `<defs>${square()}</defs><use href="#s"/>`],
    ['full opacity', false, square(' opacity="1"')],
    ['a gradient', true, filled, text],
    ['transparency', true, square(' opacity=".5"')],
    ['transparency by style', true, square(' style="fill-opacity: 0.5"')],
    ['a mask', true, `<mask id="m"><circle r="20" fill="#fff"/></mask><g mask="url(#m)">${square()}</g>`],
    ['a filter', true, '<filter id="b"><feGaussianBlur stdDeviation="3"/></filter>', square(' filter="url(#b)"')],
  ] as const)
    t.equal((await parts(svg(size, ...content))).rich, isRich, what)
})

t.test('what is painted later stays vectors before the picture', async (t) => {
  const { behind, front } = await parts(svg(size, filled, text))
  t.match(behind, 'url(#g)')
  t.notMatch(behind, 'Words')
  t.notMatch(front, 'id="f"')
  t.match(front, /<image x="0" y="0" width="200" height="100" [^>]*href="data:image\/png;base64[\s\S]*Words/)
  const boxed = await parts(svg('viewBox="5 6 40 20"', filled, text))
  t.match(boxed.front, /<image x="5" y="6" width="40" height="20"/)
  const odd = await parts(svg('width="200" height="100" viewBox="0 0 10 10"', filled, text))
  t.match(
    odd.front,
    /<image x="0" y="0" width="200.000" height="100.000"/,
    'all is a picture where its place is unknown',
  )
  t.notMatch(odd.front, 'Words')
})

t.test('a metafile looks like its drawing', async (t) => {
  const { convert } = await bare(t, ['vector', 'image'])
  const { bytes } = await convert((await convert(Buffer.from(svg(size, filled)), 'svg>emf')).bytes, 'emf>png')
  const picture = sharp(bytes).flatten({ background: '#fff' }).removeAlpha().raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  for (const [x, colour] of [
    [0.02, [255, 0, 0]],
    [0.48, [0, 0, 255]],
    [0.9, [255, 255, 255]],
  ] as const) {
    const at = (Math.round(info.height / 2) * info.width + Math.round(x * info.width)) * 3
    t.ok(near([...data.subarray(at, at + 3)], colour, 30), `${[...data.subarray(at, at + 3)]} at ${x}`)
  }
})
