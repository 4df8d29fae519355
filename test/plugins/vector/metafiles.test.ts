/** Drawings in metafiles, which have no gradients, masks and transparency: what they cannot hold becomes a picture. */
import t from 'tap'
import { studio } from '../../harness/studio.ts'

t.setTimeout(30 * 60_000)
const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const svg = (...parts: string[]) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${parts.join('')}</svg>`)
const square = (more = '') => `<rect x="20" y="20" width="60" height="60" fill="#080"${more}/>`
const text = '<text x="120" y="60" font-family="Arial" font-size="20">Words</text>'
const gradient =
  '<defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>'

/** The types of the records of an enhanced metafile (MS-EMF, section 2.1.1). */
function records(emf: Buffer): Set<number> {
  const types = new Set<number>()
  for (let at = 0; at < emf.length; at += emf.readUInt32LE(at + 4)) types.add(emf.readUInt32LE(at))
  return types
}
const PATH = 59
const BITMAP = 81

t.test('a plain drawing stays vectors; behind them is a picture of what is none', async (t) => {
  for (const [what, drawing, bitmap, path] of [
    ['plain', svg(square(), text), false, true],
    ['a gradient', svg(gradient, '<rect width="100" height="100" fill="url(#g)"/>', text), true, true],
    ['transparency', svg(square(' opacity=".5"')), true, false],
    ['a use without the prefix xlink', svg(`<defs><g id="s">${square()}</g></defs><use href="#s"/>`), false, true],
  ] as const) {
    const found = records((await convert(drawing, 'svg>emf')).bytes)
    t.strictSame([found.has(BITMAP!), found.has(PATH!)], [bitmap, path], what)
  }
})
