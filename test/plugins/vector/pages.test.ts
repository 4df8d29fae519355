/** Traced pictures, sources of more than one page, and what has no page. */
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { svg } from '../../fixtures/drawing.ts'
import { canvas } from '../../fixtures/image.ts'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['vector', 'image', 'cad'])

const made = async (source: string | Buffer, pair: string, options = {}) =>
  (await convert(Buffer.from(source), pair, options, { name: 'drawing' })).bytes
const inches = (drawing: Buffer) => Number(/ width="([\d.]+)in"/.exec(drawing.toString('latin1'))![1]).toFixed(3)
const namesOf = async (zip: Buffer) => (await readMembers(zip)).map(({ name }) => name)

t.test('density sets the size of a traced picture, which is traced as displayed', async (t) => {
  const png = await canvas().removeAlpha().png().toBuffer()
  t.equal(inches(await made(png, 'png>svg', { density: 300 })), (160 / 300).toFixed(3))
  t.equal(inches(gunzipSync(await made(png, 'png>svgz'))), (160 / 150).toFixed(3), 'the default is 150')
  const turned = await sharp(png).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  t.equal(inches(await made(turned, 'jpg>svg')), (120 / 150).toFixed(3), 'a phone held upright')
  const hole = await made(await canvas(0, true).png().toBuffer(), 'png>svg')
  const pixel = sharp(hole, { density: 96 }).extract({ left: 125, top: 80, width: 1, height: 1 }).raw()
  t.equal((await pixel.toBuffer())[3], 0, 'what is transparent stays so')
})

t.test('svg gets smaller and looks the same', async (t) => {
  const wordy = svg('<!-- a comment -->\n<metadata>nothing</metadata>\n')
  const bytes = await made(wordy, 'svg>svg')
  t.ok(bytes.length < 0.8 * wordy.length, `${wordy.length} to ${bytes.length} bytes`)
  const seen = (drawing: Buffer) => sharp(drawing, { density: 96 }).raw().toBuffer()
  t.ok((await seen(bytes)).equals(await seen(Buffer.from(wordy))))
  const odd = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  t.equal((await made(odd, 'svg>svg')).length, odd.length, 'nothing to gain: as it was')
})

t.test('text and its accents survive compression', async (t) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text y="20">Größe ✓</text></svg>'
  const packed = await made(drawing, 'svg>svgz')
  t.equal(gunzipSync(packed).toString(), drawing)
  t.equal((await made(packed, 'svgz>svg')).toString(), drawing)
  t.same(await made(drawing, 'svg>svgz'), packed, 'and depends on the drawing alone')
})

/** Two pages: a red square, and a blue one. */
const postscript = `%!PS-Adobe-3.0
%%Pages: 2
<< /PageSize [200 150] >> setpagedevice
1 0 0 setrgbcolor 40 40 60 60 rectfill showpage
0 0 1 setrgbcolor 90 40 60 60 rectfill showpage
`

t.test('several pages become a zip with a drawing for each', async (t) => {
  const drawings = await readMembers(await made(postscript, 'ps>svg'))
  const names = ['drawing-001.svg', 'drawing-002.svg']
  t.same(
    drawings.map(({ name }) => name),
    names,
  )
  const texts = drawings.map(({ content }) => content.toString())
  t.match(texts, [/rgb\(100%, ?0%, ?0%\)/, /rgb\(0%, ?0%, ?100%\)/], 'in their order')
  t.same(await namesOf(await made(await made(postscript, 'ps>tif'), 'tif>svg')), names, 'also by a detour')
})

t.test('PostScript that shows no page becomes its drawing, or is refused', async (t) => {
  const unfinished = postscript.slice(0, postscript.lastIndexOf('showpage', postscript.indexOf('0 0 1')))
  for (const from of ['ps', 'ai']) t.match(`${await made(unfinished, `${from}>svg`)}`, /rgb\(100%, ?0%, ?0%\)/)
  const empty = Buffer.from('%!PS-Adobe-3.0\n%%Creator: somebody\n%%BoundingBox: 0 0 200 150\n')
  t.match(await failure(empty, 'ps>svg'), { code: 'CONVERSION_ERROR', message: /no page/ })
})

t.test('PostScript that sets no page has the size that its comments tell, else A4', async (t) => {
  for (const [comments, size] of [
    ['%%BoundingBox: (atend)\n%%DocumentMedia: Letter 612 792 0 () ()\n', '612 792'],
    ['%%DocumentPaperSizes: (Legal)\r\n', '612 1008'],
    ['%%DocumentPaperSizes: foolscap\n%%BoundingBox: 10 20 1990 1480\n', '2000 1500'],
    ['%%BoundingBox: 50 50 554 770\n%%EndComments\n%%DocumentMedia: plain 100 100\n', '595 842'],
    ['%%DocumentMedia: plain 0 1e9\n', '595 842'],
    // The program has precedence.
    ['%%DocumentMedia: Letter 612 792 0 () ()\n<< /PageSize [200 150] >> setpagedevice\n', '200 150'],
  ] as const) {
    const drawing = await made(`%!PS-Adobe-3.0\n${comments}40 40 60 60 rectfill showpage\n`, 'ps>svg')
    t.match(drawing.toString(), `viewBox="0 0 ${size}"`, comments)
  }
})
