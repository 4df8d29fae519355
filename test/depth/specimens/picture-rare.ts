import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { base, imageKinds } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { recipes } from '../../fixtures/variants.ts'
import type { Specimen } from '../family.ts'
import { byFfmpeg, byMagick, byPillow, fixed, glass, photo, plain, ramp, specimen } from './bases.ts'
import { grey } from './picture-bases.ts'
import { light, old } from './picture-old.ts'

/** An icon as a cursor: another type, and a hot spot. */
const asCursor = (name: string, maker: string, make: Specimen['make']): Specimen =>
  specimen(name, maker, [], async (output, scratch) => {
    await make(`${scratch}/in.ico`, scratch)
    const bytes = await readFile(`${scratch}/in.ico`)
    bytes.writeUInt16LE(2, 2)
    bytes.writeUInt32LE(0, 10)
    await writeFile(output, bytes)
  })

const small = ['-resize', '64x64', '-background', 'none', '-gravity', 'center', '-extent', '64x64']

/** Pictures for icons and the web. */
const icons: readonly Specimen[] = [
  plain('ico', 'ImageMagick'),
  fixed('sizes.ico', 'ImageMagick', [], recipes['sizes.ico']),
  byPillow('many.ico', [], base, 'im.save(out,sizes=[(16,16),(48,48),(128,128)])'),
  plain('cur', 'ImageMagick'),
  asCursor('pillow.cur', 'Pillow', byPillow('in.ico', [], base, 'im.save(out,sizes=[(48,48)])').make),
  asCursor('small.cur', 'ImageMagick', byMagick('in.ico', [], base, small).make),
  plain('icns', 'libicns'),
  fixed('png.icns', 'hand', [], imageKinds['png.icns']),
  byPillow('pillow.icns', [], base, 'im.resize((256,256)).save(out)'),
]

const lossless = (name: string, features: readonly string[], from: () => Promise<string>) =>
  specimen(name, 'libjxl', features, async (output) => program('cjxl', await from(), output, '-d', 0, '-e', 3))

/** Newer codecs. */
const codecs: readonly Specimen[] = [
  plain('jxl', 'libjxl'),
  lossless('lossless.jxl', [], photo),
  specimen('from-jpeg.jxl', 'libjxl', [], async (output, scratch) => {
    await sharp(await photo())
      .jpeg({ quality: 90 })
      .toFile(`${scratch}/in.jpg`)
    await program('cjxl', `${scratch}/in.jpg`, output, '--lossless_jpeg=1')
  }),
  lossless('clear.jxl', ['transparency'], glass),
  plain('jp2', 'OpenJPEG'),
  specimen('deep.jp2', 'OpenJPEG', ['depth'], async (output) =>
    program('opj_compress', '-i', await ramp(), '-o', output),
  ),
  byFfmpeg('ffmpeg.jp2', [], photo, ['-c:v', 'jpeg2000', '-pix_fmt', 'rgb24']),
  byPillow('pillow.jp2', [], photo, 'im.save(out,irreversible=True,quality_layers=[20])'),
  plain('qoi', 'FFmpeg'),
  byFfmpeg('clear.qoi', ['transparency'], glass, ['-pix_fmt', 'rgba']),
  byFfmpeg('photo.qoi', [], photo, ['-pix_fmt', 'rgb24']),
  byMagick('still.apng', [], photo, [], 'PNG'),
  fixed('animated.apng', 'FFmpeg', ['frames'], recipes['animated.apng']),
  byPillow(
    'slow.apng',
    ['frames'],
    photo,
    'im.save(out,format="PNG",save_all=True,append_images=[im.rotate(180)],duration=[300,700])',
  ),
]

/** Formats of editors. */
const editors: readonly Specimen[] = [
  plain('psd', 'ImageMagick'),
  byMagick('deep.psd', ['depth'], ramp, ['-depth', 16]),
  byMagick('grey-300dpi.psd', ['resolution'], photo, [...grey, '-density', 300, '-units', 'PixelsPerInch']),
  plain('tga', 'FFmpeg'),
  byPillow('packed.tga', [], photo, 'im.save(out,compression="tga_rle")'),
  byPillow('clear.tga', ['transparency'], glass, 'im.save(out)'),
  plain('dds', 'ImageMagick'),
  byMagick('dxt1.dds', [], photo, ['-define', 'dds:compression=dxt1'], 'dds', { likeness: 25 }),
  byPillow('plain-rgb.dds', [], photo, 'im.save(out)'),
  plain('miff', 'ImageMagick'),
  byMagick('packed.miff', [], photo, ['-compress', 'Zip']),
  byMagick('clear.miff', ['transparency'], glass, ['-depth', 16]),
]

/** Specimens of pictures that fewer people have. */
export const rare: readonly Specimen[] = [...icons, ...codecs, ...editors, ...old, ...light]
