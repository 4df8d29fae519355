import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { base, image } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { byFfmpeg, byMagick, fixed, glass, photo, ramp, shows } from './bases.ts'
import { by, grey, greyed, told } from './picture-bases.ts'

const written =
  (...args: (string | number)[]) =>
  (input: string, output: string) =>
    program('JxrEncApp', '-i', input, '-o', output, ...args)

/** Printed by a program on standard output. */
const printed =
  (...call: readonly [string, ...(string | number)[]]) =>
  async (input: string, output: string) =>
    writeFile(output, await program(...call, input))

const dpi = ['-density', 300, '-units', 'PixelsPerInch']

const psb: readonly Specimen[] = [
  fixed('plain.psb', 'ImageMagick', [], image.psb!, shows(base)),
  byMagick('deep.psb', ['depth'], ramp, ['-depth', 16], 'psb', shows(ramp)),
  byMagick('300dpi.psb', ['resolution'], photo, dpi, 'psb', shows(photo)),
  byMagick('clear.psb', ['transparency'], glass, [], 'psb', { ...shows(glass), likeness: 24 }),
]

const jxr: readonly Specimen[] = [
  told('jxr', 'jxrlib'),
  by('jxrlib', 'clear.jxr', glass, 'BMP', written('-c', 22, '-q', 0.95), { features: ['transparency'] }),
  by('jxrlib', 'grey.jxr', photo, 'BMP3', written('-c', 2, '-q', 0.95), {
    options: [...grey, '-type', 'Grayscale'],
    truth: { look: greyed },
  }),
  by('jxrlib', 'deep.jxr', ramp, 'TIFF', written('-c', 10, '-q', 1), {
    options: ['-depth', 16, '-type', 'TrueColor', '-compress', 'None'],
  }),
  by('jxrlib', 'small-chroma.jxr', photo, 'BMP3', written('-d', 1, '-q', 0.9)),
]

const lossless: readonly Specimen[] = [
  fixed('plain.jls', 'FFmpeg', [], image.jls!),
  byFfmpeg('grey.jls', [], photo, ['-pix_fmt', 'gray', '-c:v', 'jpegls', '-f', 'image2'], {
    look: greyed,
    likeness: 22,
  }),
  byFfmpeg('near.jls', [], photo, ['-c:v', 'jpegls', '-pred', 'median', '-f', 'image2']),
]

const png: readonly Specimen[] = [
  told('mng', 'ImageMagick'),
  byMagick('clear.mng', ['transparency'], glass, [], 'MNG', shows(glass)),
  byMagick('two.mng', [], photo, ['-delay', 40, '(', '+clone', '-rotate', 180, ')'], 'MNG', shows(photo)),
  told('jng', 'ImageMagick'),
  byMagick('clear.jng', ['transparency'], glass, ['-quality', 95], 'JNG', shows(glass)),
  byMagick('grey.jng', [], photo, [...grey, '-quality', 95], 'JNG', { look: greyed }),
]

const apple: readonly Specimen[] = [
  fixed('plain.pict', 'ImageMagick', [], image.pict!, shows(base)),
  by('Netpbm', 'netpbm.pict', photo, 'PPM', printed('ppmtopict'), { options: ['-colors', 200] }),
  byMagick('photo.pict', [], photo, [], 'PICT', shows(photo)),
]

const film: readonly Specimen[] = [
  told('cin', 'ImageMagick', { likeness: 26 }),
  byMagick('photo.cin', [], photo, [], 'CIN', { ...shows(photo), likeness: 26 }),
  byMagick('dark.cin', [], photo, ['-evaluate', 'multiply', 0.4], 'CIN', {
    likeness: 26,
    look: async () => pixelsOf(sharp(await photo()).linear(0.4, 0)),
  }),
]

const rest: readonly Specimen[] = [
  fixed('plain.jb2', 'hand', [], image.jb2!, { ...shows(base), likeness: 11 }),
  fixed('plain.pcd', 'ImageMagick', [], image.pcd!, { likeness: 15 }),
  fixed('plain.xcf', 'hand', [], image.xcf!, shows(base)),
]

/** Formats of editors, cameras and screens that few programs write. */
export const kin: readonly Specimen[] = [...psb, ...jxr, ...lossless, ...png, ...apple, ...film, ...rest]
