import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { pdf, postscript, svg } from '../../fixtures/drawing.ts'
import { canvas } from '../../fixtures/image.ts'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

const inches = (drawing: Buffer) => Number(/ width="([\d.]+)in"/.exec(drawing.toString('latin1'))![1])

t.test('density sets the size of a traced picture', async (t) => {
  const png = await canvas().removeAlpha().png().toBuffer()
  for (const density of [150, 300, 72]) {
    const { bytes } = await convert(png, 'png', 'svg', { density })
    t.equal(inches(bytes).toFixed(3), (160 / density).toFixed(3), `${density} dpi`)
  }
  const { bytes } = await convert(png, 'png', 'svgz')
  t.equal(inches(gunzipSync(bytes)).toFixed(3), (160 / 150).toFixed(3), 'the default is 150')
})

t.test('density sets the resolution of rasterised parts', async (t) => {
  const clear = pdf(1)
    .toString('latin1')
    .replace('/Resources << >>', '/Resources << /ExtGState << /G << /ca 0.5 >> >> >>')
    .replace('stream\n', 'stream\n/G gs ')
  const [coarse, fine] = await Promise.all(
    [36, 600].map((density) => convert(Buffer.from(clear, 'latin1'), 'pdf', 'eps', { density })),
  )
  t.ok(fine!.bytes.length > 4 * coarse!.bytes.length, `${coarse!.bytes.length} and ${fine!.bytes.length} bytes`)
})

t.test('rotated, transparent and animated images are traced as displayed', async (t) => {
  const turned = await sharp(await canvas().removeAlpha().png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { bytes } = await convert(turned, 'jpg', 'svg')
  t.equal(inches(bytes).toFixed(3), (120 / 150).toFixed(3), 'a phone held upright')
  const hole = await convert(await canvas(0, true).png().toBuffer(), 'png', 'svg')
  const { data } = await sharp(hole.bytes, { density: 96 })
    .extract({ left: 125, top: 80, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  t.equal(data[3], 0, 'what is transparent stays so')
})

t.test('several pages become a zip, one page a file', async (t) => {
  const folder = mkdtempSync('/tmp/athanor-pages-')
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const [from, source, targets] of [
    ['pdf', pdf(3), ['svg', 'eps', 'dxf']],
    ['ps', postscript(3), ['svgz', 'emf', 'dxf']],
  ] as const)
    for (const to of targets) {
      const { bytes, paged } = await convert(source, from, to)
      t.ok(paged, `${from} to ${to}`)
      writeFileSync(`${folder}/pages.zip`, bytes)
      const names = execFileSync('python3', ['-m', 'zipfile', '-l', `${folder}/pages.zip`]).toString()
      t.same(
        [...names.matchAll(/drawing-\d+\.\w+/g)].flat(),
        [1, 2, 3].map((page) => `drawing-00${page}.${to}`),
      )
    }
  t.notOk((await convert(pdf(1), 'pdf', 'svg')).paged)
})

t.test('svg gets smaller and looks the same', async (t) => {
  const wordy = svg('<!-- a comment -->\n<metadata>nothing</metadata>\n')
  const { bytes } = await convert(wordy, 'svg', 'svg')
  t.ok(bytes.length < 0.8 * wordy.length, `${wordy.length} to ${bytes.length} bytes`)
  const [before, after] = await Promise.all(
    [Buffer.from(wordy), bytes].map((drawing) => sharp(drawing, { density: 96 }).raw().toBuffer()),
  )
  t.equal(Buffer.compare(before!, after!), 0)
  const again = await convert(bytes, 'svg', 'svg')
  t.ok(again.bytes.length <= bytes.length, 'never larger')
  const odd = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  t.equal((await convert(odd, 'svg', 'svg')).bytes.length, odd.length, 'nothing to gain: as it was')
})

t.test('text and its accents survive compression', async (t) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text y="20">Größe ✓</text></svg>'
  const packed = await convert(drawing, 'svg', 'svgz')
  t.equal(gunzipSync(packed.bytes).toString(), drawing)
  t.equal((await convert(packed.bytes, 'svgz', 'svg')).bytes.toString(), drawing)
  t.same((await convert(drawing, 'svg', 'svgz')).bytes, packed.bytes, 'and depends on the drawing alone')
})
