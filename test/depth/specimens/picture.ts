import { base, image, imageKinds } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { scans } from '../../fixtures/scans.ts'
import { said } from '../../fixtures/story.ts'
import { recipes } from '../../fixtures/variants.ts'
import type { Specimen } from '../family.ts'
import { inFile } from '../saved.ts'
import { byFfmpeg, byMagick, byPillow, bySharp, fixed, glass, photo, ramp, shows, specimen } from './bases.ts'
import { raws } from './picture-camera.ts'
import { kin } from './picture-kin.ts'
import { rare } from './picture-rare.ts'
import { scanned } from './picture-scan.ts'

const written = { IFD0: { Artist: 'Ada Athanor', Copyright: 'Athanor', ImageDescription: 'A test' } }
const words = { words: said.scan }
const page = (format: string) => fixed(`page.${format}`, 'Pango', ['words'], scans[format]!, words)

const dots = (dpi: number | string) => ['-density', dpi, '-units', 'PixelsPerInch']
const heif = (name: string, features: string[], from: () => Promise<string>, ...options: (string | number)[]) =>
  specimen(name, 'libheif', features, async (output) =>
    program('heif-enc', '-q', 90, ...options, await from(), '-o', output),
  )

/** Specimens of the pictures that most people have. */
const common: readonly Specimen[] = [
  fixed('plain.jpg', 'sharp', [], image.jpg!),
  fixed('cmyk.jpg', 'ImageMagick', [], recipes['cmyk.jpg']),
  bySharp('turned-p3.jpg', ['orientation', 'profile', 'metadata'], photo, (picture) =>
    picture.withMetadata({ orientation: 6, icc: 'p3', exif: written }).jpeg({ quality: 92 }),
  ),
  specimen('grey-progressive.jpg', 'libjpeg-turbo', [], async (output, scratch) => {
    await program('/usr/bin/convert-im6.q16', await photo(), `PPM:${scratch}/in.ppm`)
    await program('cjpeg', '-grayscale', '-progressive', '-quality', 92, '-outfile', output, `${scratch}/in.ppm`)
  }),
  byMagick('photo-300dpi.jpg', ['resolution', 'paper'], photo, dots('300x150')),
  bySharp('described.jpg', ['metadata'], photo, (picture) => picture.withExif(written).jpeg({ quality: 90 })),
  page('jpg'),
  fixed('plain.png', 'sharp', [], image.png!),
  byMagick('palette.png', ['transparency'], glass, [], 'PNG8'),
  byFfmpeg('deep.png', ['depth'], ramp, ['-pix_fmt', 'rgb48be']),
  byMagick('deep-clear.png', ['depth', 'transparency'], glass, ['-depth', 16], 'PNG64'),
  byMagick('fax-200dpi.png', ['resolution', 'paper'], photo, ['-monochrome', ...dots(200)]),
  bySharp('p3-interlaced.png', ['profile', 'metadata'], photo, (picture) =>
    picture.withIccProfile('p3').withExif(written).png({ progressive: true }),
  ),
  page('png'),
  fixed('plain.webp', 'sharp', [], image.webp!),
  byFfmpeg('clear.webp', ['transparency'], glass, ['-c:v', 'libwebp', '-lossless', 1]),
  fixed('animated.webp', 'sharp', ['frames'], recipes['animated.webp']),
  bySharp('p3-described.webp', ['profile', 'metadata'], photo, (picture) =>
    picture.withIccProfile('p3').withExif(written).webp({ quality: 92 }),
  ),
  fixed('plain.avif', 'sharp', [], image.avif!),
  fixed('animated.avif', 'FFmpeg', ['frames'], imageKinds['animated.avif']),
  heif('clear.avif', ['transparency'], glass, '--avif'),
  fixed('plain.heic', 'libheif', [], image.heic!),
  heif('clear.heic', ['transparency'], glass),
  { ...inFile('picture', 'tiles.heic', {}), maker: 'libheif' },
  heif('deep.heic', [], ramp, '-b', 10),
  fixed('plain.gif', 'sharp', [], image.gif!),
  fixed('animated.gif', 'sharp', ['frames'], recipes['animated.gif']),
  byMagick('clear.gif', ['transparency'], glass, ['-interlace', 'GIF']),
  byPillow(
    'slow.gif',
    ['frames'],
    base,
    'im=im.convert("P")\nim.save(out,save_all=True,append_images=[im.rotate(90),im.rotate(180)],duration=[100,500,1000],loop=0)',
  ),
  fixed('plain.bmp', 'ImageMagick', [], image.bmp!),
  byPillow('palette.bmp', [], photo, 'im.quantize(64).save(out,dpi=(150,150))'),
  byFfmpeg('565.bmp', [], photo, ['-pix_fmt', 'rgb565le']),
  fixed('plain.tif', 'sharp', [], image.tif!),
  fixed('pages.tif', 'ImageMagick', ['pages'], recipes['pages.tif']),
  byMagick('fax.tif', ['resolution', 'paper'], photo, ['-monochrome', '-compress', 'Group4', ...dots(300)]),
  byMagick('cmyk.tif', [], base, ['-colorspace', 'CMYK', '-compress', 'LZW'], 'tif', { likeness: 22 }),
  byMagick('deep.tif', ['depth'], ramp, ['-compress', 'Zip']),
  byPillow(
    'turned-jpeg.tif',
    ['orientation'],
    photo,
    'im.save(out,compression="jpeg",quality=92,tiffinfo={274:6})',
    shows(photo, 90),
  ),
]

/** Specimens of pictures. */
export const pictures: readonly Specimen[] = [...common, ...rare, ...kin, ...scanned, ...raws]
