/** Metadata, colour profiles, and drawings. What a conversion keeps of each feature is proved in test/depth. */
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { colourAt, near, quarters, samples, sizeOf } from './pictures.ts'

const { convert, file } = await bare(t, ['image'])

const red = [255, 0, 0]
const green = [0, 255, 0]
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" tiff:Orientation="6" dc:format="secret-xmp"/></rdf:RDF></x:xmpmeta>`

/** A jpg stored sideways with an EXIF orientation, and with all metadata of cameras and editors. */
const photograph = await sharp(
  await (await quarters(64, 32))
    .withExif({ IFD0: { Orientation: '6', Artist: 'secret-artist' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer(),
)
  .keepMetadata()
  .withMetadata({ orientation: 6 })
  .withXmp(xmp)
  .jpeg({ quality: 95 })
  .toBuffer()

/** Returns what exiftool reads from a file. */
async function tags(bytes: Buffer, extension: string): Promise<Record<string, unknown>> {
  const path = await file(`tagged.${extension}`, bytes)
  return JSON.parse((await program('exiftool', '-j', '-n', '-G1', path)).toString())[0]
}

t.test('metadata is kept with upright orientation, or removed with its pixels still upright', async (t) => {
  for (const to of ['png', 'jxl'])
    for (const stripMetadata of [false, true]) {
      const { bytes } = await convert(photograph, `jpg>${to}`, { stripMetadata })
      const found = await tags(bytes, to)
      t.equal(found['IFD0:Artist'], stripMetadata ? undefined : 'secret-artist', `${to}: EXIF`)
      t.equal(found['XMP-dc:Format'], stripMetadata ? undefined : 'secret-xmp', `${to}: XMP`)
      t.equal(found['IFD0:Orientation'] ?? 1, 1, `${to}: EXIF says upright`)
      t.equal(found['XMP-tiff:Orientation'] ?? 1, 1, `${to}: XMP says upright`)
      if (stripMetadata) t.notMatch(bytes.toString('latin1'), /secret|GPS|IFD/)
      const seen = to === 'jxl' ? (await convert(bytes, 'jxl>png')).bytes : bytes
      // After a turn to the right, the lower left quarter comes first.
      t.strictSame(await sizeOf(seen), [32, 64])
      t.ok(near(await colourAt(seen, 8, 16), [0, 0, 255], 30), `${to}: blue`)
      t.ok(near(await colourAt(seen, 24, 16), red, 30), `${to}: red`)
    }
})

t.test('a profile other than sRGB is kept, or converted if the target cannot store it', async (t) => {
  const flat = { create: { width: 16, height: 16, channels: 3 as const, background: '#ff0000' } }
  const wide = await sharp(flat).withIccProfile('p3').png().toBuffer()
  const stored = [...(await samples(wide)).subarray(0, 3)]
  t.notSame(stored, red, 'sRGB red is less than full in Display P3')
  for (const stripMetadata of [false, true]) {
    const { bytes } = await convert(wide, 'png>tif', { stripMetadata })
    t.ok((await sharp(bytes).metadata()).icc, 'it has a profile')
    t.same([...(await samples(bytes)).subarray(0, 3)], stored, 'and the same samples')
  }
  const gif = await convert(wide, 'png>gif')
  t.ok(near(await colourAt(gif.bytes, 4, 4), red, 4), 'gif')
  const bmp = await convert((await convert(wide, 'png>bmp')).bytes, 'bmp>png')
  t.ok(near(await colourAt(bmp.bytes, 4, 4), red, 4), 'bmp')
})

t.test('CMYK becomes sRGB without its profile', async (t) => {
  const inks = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#ff0000' } })
    .withIccProfile('cmyk')
    .toColourspace('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer()
  t.equal((await sharp(inks).metadata()).space, 'cmyk')
  const { bytes } = await convert(inks, 'jpg>png')
  const { space, channels, icc } = await sharp(bytes).metadata()
  t.same([space, channels], ['srgb', 3])
  t.notMatch(icc?.toString('latin1', 16, 20) ?? '', /CMYK/)
  t.ok(near(await colourAt(bytes, 8, 8), red, 45), `${await colourAt(bytes, 8, 8)}`)
})

t.test('drawings', async (t) => {
  const svg = (attributes: string, body: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`)
  const half = '<rect width="50%" height="100%" fill="#f00"/><rect x="50%" width="50%" height="100%" fill="#0f0"/>'
  const cases: [string, object, number[]][] = [
    ['width="96" height="48"', {}, [150, 75]],
    ['viewBox="0 0 192 96"', {}, [300, 150]],
    ['width="96" height="48"', { maxWidth: 1000, maxHeight: 100 }, [200, 100]],
    ['width="96" height="48"', { maxWidth: 1000, maxHeight: 1000, fit: 'outside' }, [2000, 1000]],
    ['width="96" height="48"', { maxWidth: 300, maxHeight: 300, fit: 'cover' }, [300, 300]],
    ['width="9600" height="4800"', { maxWidth: 20 }, [20, 10]],
  ]
  for (const [attributes, options, [width, height]] of cases) {
    const { bytes } = await convert(svg(attributes, half), 'svg>png', options)
    t.same(await sizeOf(bytes), [width, height], `${attributes} ${JSON.stringify(options)}`)
    t.ok(near(await colourAt(bytes, Math.floor(width! / 4), Math.floor(height! / 2)), red))
    t.ok(near(await colourAt(bytes, Math.floor((width! * 3) / 4), Math.floor(height! / 2)), green))
  }
})

/** Dots an inch across and down, which libvips reads for both as one. */
async function dots(bytes: Buffer, to: string) {
  const {
    PixelsPerUnitX: x,
    PixelsPerUnitY: y,
    PixelsPerMeterX,
    PixelsPerMeterY,
    ...found
  } = Object.fromEntries(
    Object.entries(await tags(bytes, to)).map(([name, value]) => [name.replace(/^.*:/, ''), Number(value)]),
  )
  const [across, down] = [x ?? PixelsPerMeterX, y ?? PixelsPerMeterY].map((metre) => metre && metre * 0.0254)
  return [across ?? found.XResolution, down ?? found.YResolution].map((value) => Math.round(value!))
}

t.test('the resolution stays in both directions, turns with the picture, or is that of CSS', async (t) => {
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: '#246' } })
  const inches = { compression: 'lzw', xres: 300 / 25.4, yres: 150 / 25.4 } as const
  const tif = await picture.clone().tiff(inches).toBuffer()
  const turned = await picture.clone().withMetadata({ orientation: 6 }).tiff(inches).toBuffer()
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="48mm" height="24mm"><rect width="9" height="9"/></svg>',
  )
  const cases: readonly [source: Buffer, pair: string, wanted: number[], options?: object][] = [
    [tif, 'tif>png', [300, 150]],
    [tif, 'tif>bmp', [300, 150]],
    [turned, 'tif>jpg', [150, 300]],
    [await picture.clone().gif().toBuffer(), 'gif>tif', [96, 96]],
    [await picture.clone().webp().toBuffer(), 'webp>psd', [96, 96]],
    [drawing, 'svg>jpg', [150, 150]],
    [drawing, 'svg>png', [300, 300], { maxWidth: 567 }],
  ]
  for (const [source, pair, wanted, options] of cases)
    t.strictSame(await dots((await convert(source, pair, options)).bytes, pair.replace(/.*>/, '')), wanted, pair)
  const unknown = await tags((await convert(await picture.clone().gif().toBuffer(), 'gif>png')).bytes, 'png')
  t.notOk(unknown['PNG-pHYs:PixelUnits'], 'a source without a resolution')
})
