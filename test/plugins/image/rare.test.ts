/** Rare kinds of usual formats, which one decoder refuses or reads wrongly, and another reads right. */
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { colourful, psnr } from './proof.ts'
import { exr, floatMap, floats, oldJpeg, signed } from './rarities.ts'
import { studio } from './studio.ts'
import { tool, workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)
const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const [width, height] = [96, 60]
const picture = await colourful(width, height)
const pixels = await sharp(picture).removeAlpha().raw().toBuffer()

/** Writes the picture with ImageMagick or another program. */
function made(extension: string, command: (png: string, file: string) => string[]): Buffer {
  using shop = workshop()
  const [png, file] = [shop.host('/scratch/it.png'), shop.host(`/scratch/made.${extension}`)]
  writeFileSync(png, picture)
  const [program, ...args] = command(png, file)
  tool(program!, ...args)
  return readFileSync(file)
}

/** Writes JPEG-LS by DCMTK: `$1` is a PNG, `$2` the result, `$3` how colours alternate. */
const jpegLs = [
  'cd "$(dirname "$2")" && convert-im6.q16 "$1" -alpha off BMP3:in.bmp && img2dcm -i BMP in.bmp in.dcm',
  'dcmcjpls --interleave-$3 in.dcm out.dcm',
  `/usr/bin/python3 -c 'import sys; d = open("out.dcm", "rb").read()
i = d.index(b"\\xff\\xd8\\xff"); open(sys.argv[1], "wb").write(d[i : d.rindex(b"\\xff\\xd9") + 2])' "$2"`,
].join(' && ')

const pixel = async (bytes: Buffer, x: number, y: number) => {
  const { data, info } = await sharp(bytes, { ignoreIcc: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
}

t.test('tif of rare numbers and compressions', async (t) => {
  for (const compress of ['LZMA', 'ZSTD', 'Fax', 'RLE', 'WebP']) {
    const source = made('tif', (png, file) => ['convert-im6.q16', png, '-compress', compress, `TIFF:${file}`])
    const { bytes } = await convert(source, 'tif', 'png')
    if (compress === 'Fax') t.equal((await sharp(bytes).metadata()).width, width)
    else t.ok((await psnr(bytes, picture)) > (compress === 'WebP' ? 25 : 90), compress)
  }
  for (const bits of [32, 64]) {
    const { bytes } = await convert(floats(pixels, width, height, bits), 'tif', 'png')
    t.ok((await psnr(bytes, picture)) > 50, `fractions of ${bits} bits`)
    const { bytes: jpg } = await convert(floats(pixels, width, height, bits), 'tif', 'jpg')
    t.ok((await psnr(jpg, picture)) > 25, `fractions of ${bits} bits as jpg`)
  }
  const jpeg = await sharp(picture).removeAlpha().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  const { bytes } = await convert(oldJpeg(jpeg, width, height), 'tif', 'png')
  t.ok((await psnr(bytes, picture)) > 30, 'JPEG of the old style')
})

t.test('jxl of depths that djxl scales wrongly', async (t) => {
  // libjxl 0.11: the left half is opaque red, the right half is blue with half the opacity.
  for (const [name, base64, alpha] of [
    ['10 bits with alpha', '/wpYMDQIgKJFCBAQAIAASxiLFQBcFC/GYFAXEAFgtix9wH/Imv7z9r+jzON/EBI=', 127],
    ['12 bits with alpha', '/wpYMDgQgKJFCBAQAIgASxiLFQDcFC/G4KQuIAIAoWn7gP+DWvX/evs/h40d/w/DCA==', 127],
    ['10 bits', '/wpYMBRQtAgIBAEAcABLGIsVAFwUL8bg0AVCACgsSxrw37Ww/7z9h+gD', 255],
    ['12 bits', '/wpYMBhQtAgIBAEAdABLGIsVANwUL8ZgoQuEAFBomjTg/67G/b/e/g+sBg==', 255],
  ] as const)
    for (const to of ['png', 'webp', 'tif']) {
      const { bytes } = await convert(Buffer.from(base64, 'base64'), 'jxl', to, to === 'webp' ? { lossless: true } : {})
      t.strictSame(await pixel(bytes, 2, 2), [255, 0, 0, 255], `${name} as ${to}`)
      const [, , blue, opacity] = await pixel(bytes, 12, 2)
      t.ok(blue! > 250 && Math.abs(opacity! - alpha) <= 1, `${name} as ${to}: ${blue}, ${opacity}`)
    }
})

t.test('jxl of 16 bits with alpha is read by djxl', async (t) => {
  const deep = await sharp(await colourful(40, 30, true))
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  t.equal((await sharp(deep).metadata()).depth, 'ushort')
  const { bytes } = await convert(deep, 'png', 'jxl')
  using shop = workshop()
  writeFileSync(shop.host('/scratch/it.jxl'), bytes)
  tool('djxl', shop.host('/scratch/it.jxl'), shop.host('/scratch/it.png'))
  t.ok((await psnr(shop.host('/scratch/it.png'), deep)) > 30)
})

t.test('exr in luminance, alone and with chroma', async (t) => {
  const { bytes } = await convert(exr(pixels, width, height, true), 'exr', 'png')
  t.ok((await psnr(bytes, picture)) > 24, 'with chroma at half the size')
  const { bytes: gray } = await convert(exr(pixels, width, height, false), 'exr', 'png')
  const [r, g, b] = await pixel(gray, 40, 30)
  t.ok(r === g && g === b, `luminance is gray: ${[r, g, b]}`)
})

t.test('pfm brighter than white', async (t) => {
  for (const light of [1, 4, 100]) {
    const { bytes } = await convert(floatMap(pixels, width, height, light), 'pfm', 'png')
    t.ok((await psnr(bytes, picture)) > 40, `${light} times the light`)
  }
})

t.test('bmp without a file header', async (t) => {
  const source = made('bmp', (png, file) => ['convert-im6.q16', png, '-type', 'TrueColor', `BMP3:${file}`])
  const { bytes } = await convert(source.subarray(14), 'bmp', 'png')
  t.equal(await psnr(bytes, picture), 99)
})

t.test('avif: animation with alpha in television range', async (t) => {
  const filter = `split[a][b];[a]format=yuv444p[c];[b]alphaextract,lut=y='16+val*219/255'[d]`
  using shop = workshop()
  const file = shop.host('/scratch/it.avif')
  const clear = {
    create: { width: 64, height: 48, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 0 } },
  } as const
  const square = { create: { ...clear.create, width: 20, height: 20, background: '#00f' } } as const
  for (const frame of [0, 1])
    await sharp(clear)
      .composite([{ input: square, left: frame * 20, top: 0 }])
      .png()
      .toFile(shop.host(`/scratch/${frame}.png`))
  const tracks = ['-map', '[c]', '-map', '[d]', '-c:v', 'libaom-av1', '-cpu-used', '6', '-crf', '10']
  const ranges = ['-color_range:v:0', 'pc', '-color_range:v:1', 'tv']
  const frames = ['-framerate', '5', '-i', shop.host('/scratch/%d.png')]
  tool('ffmpeg', '-v', 'error', ...frames, '-filter_complex', filter, ...tracks, ...ranges, '-f', 'avif', file)
  for (const to of ['png', 'apng', 'webp']) {
    const { bytes } = await convert(file, 'avif', to)
    t.equal((await pixel(bytes, 5, 5))[3], 255, `${to}: opaque`)
    t.equal((await pixel(bytes, 50, 40))[3], 0, `${to}: clear`)
  }
})

t.test('png tells no resolution that the source does not have', async (t) => {
  for (const to of ['webp', 'gif'] as const) {
    const { bytes } = await convert(await sharp(picture)[to]().toBuffer(), to, 'png')
    using shop = workshop()
    writeFileSync(shop.host('/scratch/it.png'), bytes)
    t.match(tool('exiftool', '-s3', '-PixelUnits', shop.host('/scratch/it.png')).toString(), /Unknown|^$/, to)
  }
})

t.test('tif of signed numbers has its levels, or is refused', async (t) => {
  const ramp = Array.from({ length: width }, (_, x) => Math.round((x * 255) / (width - 1)))
  const { bytes } = await convert(signed(ramp, 16), 'tif', 'png')
  for (const x of [0, 30, width - 1]) t.ok(Math.abs((await pixel(bytes, x, 0))[0]! - ramp[x]!) <= 1, `level ${ramp[x]}`)
  for (const bits of [8, 32] as const)
    await t.rejects(convert(signed(ramp, bits), 'tif', 'png'), { code: 'CONVERSION_ERROR', message: /numbers/ })
})

t.test('jls whose colours alternate by plane, by line and by pixel', async (t) => {
  for (const order of ['none', 'line', 'sample']) {
    const source = made('jls', (png, file) => ['sh', '-c', jpegLs, 'sh', png, file, order])
    const { bytes } = await convert(source, 'jls', 'png')
    t.ok((await psnr(bytes, picture)) > 90, order)
  }
})
