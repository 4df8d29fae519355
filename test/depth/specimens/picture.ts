import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { base, image, imageKinds } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { scans } from '../../fixtures/scans.ts'
import { said } from '../../fixtures/story.ts'
import { recipes } from '../../fixtures/variants.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { inFile, saved, specimen } from '../saved.ts'
import { byFfmpeg, byMagick, byPillow, bySharp, fixed, glass, photo, ramp, shows } from './bases.ts'

const written = { IFD0: { Artist: 'Ada Athanor', Copyright: 'Athanor', ImageDescription: 'A test' } }
const dots = (dpi: number) => ['-density', dpi, '-units', 'PixelsPerInch']

/** The picture as large as the sensor: four times. */
const sensed = {
  // The white balance and tone curve of the converter are not the camera's.
  likeness: 21,
  look: async () => pixelsOf(sharp(await base()).resize(640, 480, { kernel: 'nearest' })),
}

/** Specimens of pictures. */
export const pictures: readonly Specimen[] = [
  fixed('cmyk.jpg', [], recipes['cmyk.jpg']),
  bySharp('turned-p3.jpg', ['orientation', 'profile', 'metadata'], photo, (picture) =>
    picture.withMetadata({ orientation: 6, icc: 'p3', exif: written }).jpeg({ quality: 92 }),
  ),
  specimen(
    'grey-progressive.jpg',
    async (output, scratch) => {
      await program('/usr/bin/convert-im6.q16', await photo(), `PPM:${scratch}/in.ppm`)
      await program('cjpeg', '-grayscale', '-progressive', '-quality', 92, '-outfile', output, `${scratch}/in.ppm`)
    },
    {},
  ),
  fixed('page.jpg', ['words'], scans.jpg!, { words: said.scan }),
  byMagick('palette.png', ['transparency'], glass, [], 'PNG8'),
  byFfmpeg('deep.png', ['depth'], ramp, ['-pix_fmt', 'rgb48be']),
  byMagick('fax-200dpi.png', ['resolution', 'paper'], photo, ['-monochrome', ...dots(200)]),
  byFfmpeg('clear.webp', ['transparency'], glass, ['-c:v', 'libwebp', '-lossless', 1]),
  bySharp('p3-described.webp', ['profile', 'metadata'], photo, (picture) =>
    picture.withIccProfile('p3').withExif(written).webp({ quality: 92 }),
  ),
  fixed('animated.avif', ['frames'], imageKinds['animated.avif']),
  specimen('clear.heic', async (output) => program('heif-enc', '-q', 90, await glass(), '-o', output), {}, [
    'transparency',
  ]),
  inFile('picture', 'tiles.heic', {}),
  fixed('animated.gif', ['frames'], recipes['animated.gif']),
  byPillow('palette.bmp', [], photo, 'im.quantize(64).save(out,dpi=(150,150))'),
  fixed('pages.tif', ['pages'], recipes['pages.tif']),
  byPillow(
    'turned-jpeg.tif',
    ['orientation'],
    photo,
    'im.save(out,compression="jpeg",quality=92,tiffinfo={274:6})',
    shows(photo, 90),
  ),
  fixed('plain.jxl', [], image.jxl!),
  byMagick('grey-300dpi.psd', ['resolution'], photo, ['-colorspace', 'Gray', ...dots(300)]),
  fixed('plain.dng', [], image.dng!, sensed),
  fixed('plain.nef', [], image.nef!, sensed),
  // Who took it, and when.
  specimen(
    'described.arw',
    async (output) => writeFile(output, gunzipSync(await readFile(saved('picture/described.arw.gz')))),
    sensed,
    ['metadata'],
  ),
  // Most of the sensor's data is missing, as after an interrupted copy: only the camera's own JPEG can be read.
  inFile('picture', 'cut.cr2', sensed, []),
]
