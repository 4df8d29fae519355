import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { pdf, svg } from '../../fixtures/drawing.ts'
import { canvas } from '../../fixtures/image.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(30 * 60_000)
const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const made = async (source: string | Buffer, pair: string, options = {}) =>
  (await convert(Buffer.from(source), pair, options)).bytes
const inches = (drawing: Buffer) => Number(/ width="([\d.]+)in"/.exec(drawing.toString('latin1'))![1]).toFixed(3)

t.test('density sets the size of a traced picture', async (t) => {
  const png = await canvas().removeAlpha().png().toBuffer()
  for (const density of [300, 72])
    t.equal(inches(await made(png, 'png>svg', { density })), (160 / density).toFixed(3), `${density} dpi`)
  t.equal(inches(gunzipSync(await made(png, 'png>svgz'))), (160 / 150).toFixed(3), 'the default is 150')
})

t.test('density sets the resolution of rasterised parts', async (t) => {
  const clear = pdf(1)
    .toString('latin1')
    .replace('/Resources << >>', '/Resources << /ExtGState << /G << /ca 0.5 >> >> >>')
    .replace('stream\n', 'stream\n/G gs ')
  const bytes = async (density: number) => (await made(Buffer.from(clear, 'latin1'), 'pdf>eps', { density })).length
  const coarse = await bytes(36)
  const fine = await bytes(600)
  t.ok(fine > 4 * coarse, `${coarse} and ${fine} bytes`)
})

t.test('rotated and transparent images are traced as displayed', async (t) => {
  const turned = await sharp(await canvas().removeAlpha().png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  t.equal(inches(await made(turned, 'jpg>svg')), (120 / 150).toFixed(3), 'a phone held upright')
  const hole = await made(await canvas(0, true).png().toBuffer(), 'png>svg')
  const { data } = await sharp(hole, { density: 96 })
    .extract({ left: 125, top: 80, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  t.equal(data[3], 0, 'what is transparent stays so')
})

t.test('svg gets smaller and looks the same', async (t) => {
  const wordy = svg('<!-- a comment -->\n<metadata>nothing</metadata>\n')
  const bytes = await made(wordy, 'svg>svg')
  t.ok(bytes.length < 0.8 * wordy.length, `${wordy.length} to ${bytes.length} bytes`)
  const seen = (drawing: Buffer) => sharp(drawing, { density: 96 }).raw().toBuffer()
  t.ok((await seen(bytes)).equals(await seen(Buffer.from(wordy))))
  t.ok((await made(bytes, 'svg>svg')).length <= bytes.length, 'never larger')
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
