/** Documents become smaller and say the same. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { convert } = own

/** A blurred noise of these sides. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 20 } },
  })
    .blur(1.5)
    .withMetadata({ density: 240 })
const pixels = (picture: Buffer) => sharp(picture).raw().toBuffer()

for (const format of ['docx', 'ods', 'pdf'])
  t.test(`${format} becomes no larger and says the same`, async (t) => {
    const { path } = await sample(format, 'document')
    const { path: made, bytes } = await convert(path, `${format}>${format}`)
    t.ok(bytes.length <= (await readFile(path)).length)
    t.equal(await textOf(made, format), await textOf(path, format))
    if (format === 'pdf') await t.resolves(program('qpdf', '--check', made))
    t.ok((await convert(made, `${format}>${format}`)).bytes.length <= bytes.length, 'nor larger the second time')
  })

t.test('pictures inside are compressed, and look the same', async (t) => {
  const raw = sharp(await noise(800, 600).png().toBuffer())
  const jpg = 'word/media/one.jpg'
  const png = 'word/media/two.png'
  const pictures = {
    [jpg]: await raw.clone().jpeg({ quality: 100 }).toBuffer(),
    [png]: await raw.clone().png({ compressionLevel: 0 }).toBuffer(),
  }
  const members = (await readMembers(await readFile((await sample('docx')).path))).map(({ name, content }) => [
    name,
    content,
  ])
  const fat = await zipped({ ...Object.fromEntries(members), ...pictures })
  const { bytes } = await convert(fat, 'docx>docx')
  t.ok(bytes.length < fat.length * 0.8, `${fat.length} to ${bytes.length} bytes`)
  const made = new Map((await readMembers(bytes)).map(({ name, content }) => [name, content]))
  t.ok((await pixels(made.get(png)!)).equals(await pixels(pictures[png]!)), 'without loss')
  const [before, after] = await Promise.all([pictures[jpg]!, made.get(jpg)!].map(pixels))
  const error = before!.reduce((sum, value, index) => sum + (value - after![index]!) ** 2, 0)
  t.ok(10 * Math.log10(255 ** 2 / (error / before!.length)) > 34, 'a loss that does not show')
})

t.test('a scan becomes much smaller', async (t) => {
  const scan = await convert(await noise(1000, 1400).jpeg({ quality: 95 }).toBuffer(), 'jpg>pdf')
  const { bytes, path } = await convert(scan.path, 'pdf>pdf')
  t.ok(bytes.length < scan.bytes.length / 2, `${scan.bytes.length} to ${bytes.length} bytes`)
  t.match((await program('pdfinfo', path)).toString(), /^Pages: +1$/m)
  await t.resolves(program('qpdf', '--check', path))
})
