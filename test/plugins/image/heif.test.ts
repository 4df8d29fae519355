/** Pictures of telephones, by our decoder of HEIF. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import t from 'tap'
import { chunk } from '../../../engines/programs/sharp/png.ts'
import { saved } from '../../depth/saved.ts'
import { stored } from '../../fixtures/files.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { likeness, pattern } from './pictures.ts'

const { convert, failure, file, folder } = await bare(t, ['image'])

const decoder = fileURLToPath(new URL('../../../engines/programs/heif/decode.py', import.meta.url))
const [heic, decoded, other] = ['it.heic', 'decoded.png', 'other.png'].map((name) => `${folder}/${name}`) as [
  string,
  string,
  string,
]
/** Encodes a picture with heif-enc. */
const encode = async (picture: Buffer, extension: string, ...args: (string | number)[]) =>
  program('heif-enc', ...args, await file(`source.${extension}`, picture), '-o', heic)
/** Decodes it by our program alone, as heif-convert must. */
const decode = async () => {
  await program('/usr/bin/python3', decoder, heic, decoded, 268_000_000)
  await program('heif-convert', heic, other)
}

t.test('a photograph keeps pixels, profile, EXIF and XMP', async (t) => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
  const photo = await pattern(120, 80)
    .withIccProfile('p3')
    .withExifMerge({ IFD0: { Make: 'Maker' } })
    .withMetadata({ orientation: 6 })
    .withXmp(xmp)
    .jpeg()
    .toBuffer()
  await encode(photo, 'jpg')
  await decode()
  const meta = await sharp(decoded).metadata()
  t.match(meta, { width: 120, height: 80, depth: 'uchar', channels: 3 })
  t.equal(meta.orientation, 1, 'only the rotation of HEIF counts, and libheif has done it')
  t.same(meta.icc, (await sharp(photo).metadata()).icc)
  t.match(meta.exif?.toString('latin1'), 'Maker')
  t.match(meta.xmpAsString, 'adobe:ns:meta/')
  t.equal(await likeness(decoded, other), Infinity, 'the pixels of another program of libheif')
  t.ok((await readFile(decoded)).length > 80 * 120 * 3, 'nothing is compressed')
})

t.test('tiles of a telephone become one picture', async (t) => {
  await copyFile(saved('picture/tiles.heic'), heic)
  await decode()
  t.match(await sharp(decoded).metadata(), { width: 301, height: 203 })
  t.equal(await likeness(decoded, other), Infinity)

  // The first size is that of the tiles, the second that of the whole.
  const huge = await readFile(heic)
  const size = huge.indexOf('ispe', huge.indexOf('ispe') + 4) + 8
  huge.writeUInt32BE(20_000, size)
  huge.writeUInt32BE(20_000, size + 4)
  const failed = await failure(huge, 'heic>png')
  t.match(failed, { code: 'RESOURCE_LIMIT', message: /268 megapixels/ })
  await writeFile(heic, huge)
  await t.rejects(program('/usr/bin/python3', decoder, heic, decoded, 5_000_000), { message: /limit is 5 megapixels/ })
})

/** Adds a group of a stereo pair to a HEIF of two pictures, whose places move by its length. */
function paired(two: Buffer): Buffer {
  const words = (...all: number[]) => Buffer.concat(all.map((word) => Buffer.from([0, 0, 0, word])))
  const whole = Buffer.concat([words(36), Buffer.from('grpl'), words(28), Buffer.from('ster'), words(0, 9, 2, 1, 2)])
  const meta = two.indexOf('meta') - 4
  const end = meta + two.readUInt32BE(meta)
  const moved = Buffer.concat([two.subarray(0, end), whole, two.subarray(end)])
  moved.writeUInt32BE(end - meta + whole.length, meta)
  // Each of the two items has 18 bytes, with its place after 10.
  for (const at of [0, 18].map((item) => two.indexOf('iloc') + 12 + item + 10))
    moved.writeUInt32BE(two.readUInt32BE(at) + whole.length, at)
  return moved
}

t.test('of a stereo pair, the left picture', async (t) => {
  const eyes = await Promise.all(
    ['#f00', '#00f'].map(async (background) => {
      const create = { width: 64, height: 64, channels: 3, background } as const
      return file(`${background.slice(1)}.png`, await sharp({ create }).png().toBuffer())
    }),
  )
  await program('heif-enc', ...eyes, '-o', heic)
  const two = await readFile(heic)
  t.match((await convert(two, 'heic>png')).bytes.toString('latin1', 0, 2), 'PK', 'two pictures')
  const { bytes } = await convert(paired(two), 'heic>png')
  const [red = 0, , blue = 255] = await sharp(bytes).raw().toBuffer()
  t.ok(red > 200 && blue < 50, 'one picture')
})

t.test('a damaged file is refused', async (t) => {
  await encode(await pattern(64, 64).png().toBuffer(), 'png')
  t.equal((await failure((await readFile(heic)).subarray(0, 200), 'heic>png')).code, 'CONVERSION_ERROR')
  const plain = Buffer.from((await readFile(heic)).toString('latin1').replace('hvc1', 'unci'), 'latin1')
  const { message } = await failure(plain, 'heic>png')
  t.match(message, /no compression/)
  await t.rejects(program('/usr/bin/python3', decoder, await file('none.heic', 'no picture'), decoded, 9))
})

/** A PNG with a chunk that tells its colours (cICP). */
async function said(png: string, numbers: readonly number[]): Promise<Buffer> {
  const bytes = await readFile(png)
  const end = bytes.indexOf('IHDR') + 4 + 13 + 4
  return Buffer.concat([bytes.subarray(0, end), chunk('cICP', Buffer.from(numbers)), bytes.subarray(end)])
}

t.test('high dynamic range is tone mapped', async (t) => {
  // Code 148 of PQ is the white of paper.
  const create = { width: 64, height: 64, channels: 3, background: '#949494' } as const
  const paper = await file('paper.png', await sharp({ create }).png().toBuffer())
  const level = async (bytes: Buffer) => (await sharp(bytes).toColourspace('srgb').raw().toBuffer())[0]!
  await program('heif-enc', '-A', paper, '-o', heic)
  const sources = { heic: stored('paper.heic'), avif: await readFile(heic) }
  for (const [name, transfer, least, max] of [
    ['PQ', 16, 175, 200],
    ['HLG', 18, 125, 150],
    ['sRGB', 13, 146, 150],
  ] as const) {
    for (const [format, source] of Object.entries(sources)) {
      const colours = source.indexOf('colrnclx') + 8
      source.writeUInt16BE(9, colours)
      source.writeUInt16BE(transfer, colours + 2)
      const { bytes } = await convert(source, `${format}>png`)
      t.ok((await level(bytes)) >= least && (await level(bytes)) <= max, `${format}, ${name}`)
      t.equal((await sharp(bytes).metadata()).icc, undefined, 'no profile is needed')
    }
    const png = await level((await convert(await said(paper, [9, transfer, 0, 1]), 'png>jpg')).bytes)
    t.ok(png >= least && png <= max, `PNG, ${name}: ${png}`)
    if (name === 'PQ') t.same((await convert(sources.avif, 'avif>avif')).bytes, sources.avif, 'nothing can be saved')
  }
  const jxl = `${folder}/paper.jxl`
  await program('cjxl', paper, jxl, '-d', 0, '-x', 'color_space=RGB_D65_202_Rel_PeQ')
  const told = await level((await convert(jxl, 'jxl>png')).bytes)
  t.ok(told >= 175 && told <= 200, `JPEG XL: ${told}`)
})
