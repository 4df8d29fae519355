import { writeFile } from 'node:fs/promises'
import { base, image } from '../../fixtures/image.ts'
import { encoded, linear } from '../../fixtures/linear.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { magick, program } from '../../fixtures/program.ts'
import { exr, floatMap } from '../../plugins/image/rarities.ts'
import type { Specimen } from '../family.ts'
import { byFfmpeg, byMagick, byPillow, fixed, glass, photo, plain, ramp, shows, specimen } from './bases.ts'

/** By a program that reads a Netpbm file. */
const byNetpbm = (name: string, tool: string, coder = 'PPM', truth?: Specimen['truth']) => {
  const make: Specimen['make'] = async (output, scratch) => {
    await magick(await photo(), `${coder}:${scratch}/in.pnm`)
    await writeFile(output, await program(tool, `${scratch}/in.pnm`))
  }
  return specimen(name, 'Netpbm', [], make, truth)
}

const rgb = () => Buffer.from(pixels().filter((_, at) => at % 4 < 3))
const bits = { likeness: 9 }

/** Old and simple formats. */
export const old: readonly Specimen[] = [
  plain('pcx', 'ImageMagick'),
  byPillow('palette.pcx', [], photo, 'im.quantize(64).save(out)'),
  byFfmpeg('ffmpeg.pcx', [], photo, ['-pix_fmt', 'rgb24']),

  plain('ppm', 'ImageMagick'),
  byMagick('text.ppm', [], photo, ['-compress', 'none']),
  byFfmpeg('deep.ppm', [], ramp, ['-pix_fmt', 'rgb48be']),

  plain('pgm', 'ImageMagick'),
  byMagick('text.pgm', [], photo, ['-compress', 'none']),
  byFfmpeg('deep.pgm', [], ramp, ['-pix_fmt', 'gray16be']),
  fixed('plain.pbm', 'ImageMagick', [], image.pbm!),
  byMagick('text.pbm', [], photo, ['-monochrome', '-compress', 'none'], 'pbm', bits),
  byPillow('pillow.pbm', [], photo, 'im.convert("1").save(out,format="PPM")', bits),

  plain('pam', 'ImageMagick'),
  byFfmpeg('clear.pam', [], glass, ['-pix_fmt', 'rgba']),
  byFfmpeg('grey.pam', [], photo, ['-pix_fmt', 'gray']),

  plain('pnm', 'ImageMagick'),
  byMagick('text.pnm', [], photo, ['-compress', 'none']),
  byPillow('grey.pnm', [], photo, 'im.convert("L").save(out,format="PPM")'),
  plain('pfm', 'ImageMagick'),
  specimen('light.pfm', 'hand', [], (output) => writeFile(output, floatMap(rgb(), width, height, 1)), shows(base)),
  byMagick('photo.pfm', [], photo, ['-colorspace', 'RGB']),
  fixed('plain.xbm', 'ImageMagick', [], image.xbm!),
  byPillow('pillow.xbm', [], photo, 'im.convert("1").save(out)', bits),
  byMagick('photo.xbm', [], photo, ['-monochrome'], 'xbm', bits),
  plain('xpm', 'ImageMagick'),
  byMagick('clear.xpm', ['transparency'], glass, []),
  byMagick('photo.xpm', [], photo, ['-colors', 32]),
  fixed('plain.wbmp', 'ImageMagick', [], image.wbmp!),
  byNetpbm('netpbm.wbmp', 'pbmtowbmp', 'PBM', bits),
  byMagick('photo.wbmp', [], photo, ['-monochrome'], 'wbmp', bits),

  plain('sgi', 'ImageMagick'),
  byPillow('pillow.sgi', [], photo, 'im.save(out)'),
  byFfmpeg('packed.sgi', [], photo, ['-pix_fmt', 'rgb24']),

  plain('ras', 'ImageMagick'),
  byFfmpeg('packed.ras', [], photo, ['-f', 'image2', '-c:v', 'sunrast']),
  byNetpbm('netpbm.ras', 'pnmtorast'),
  plain('xwd', 'ImageMagick'),
  byFfmpeg('ffmpeg.xwd', [], photo),
  byMagick('photo.xwd', [], photo, []),
]

/** Formats of film, science and light. */
export const light: readonly Specimen[] = [
  plain('dpx', 'ImageMagick'),
  byFfmpeg('ffmpeg.dpx', [], photo, ['-pix_fmt', 'rgb24']),
  byFfmpeg('deep.dpx', [], ramp, ['-pix_fmt', 'rgb48be']),
  plain('exr', 'FFmpeg'),
  specimen('grey.exr', 'hand', [], async (output) => writeFile(output, exr(rgb(), width, height, false)), {
    look: async () => grey(),
  }),
  specimen('chroma.exr', 'hand', [], async (output) => writeFile(output, exr(rgb(), width, height, true)), {
    ...shows(base),
    likeness: 22,
  }),
  plain('hdr', 'ImageMagick'),
  byMagick('photo.hdr', [], photo, ['-colorspace', 'RGB']),
  byMagick('dark.hdr', [], photo, ['-colorspace', 'RGB', '-evaluate', 'multiply', 0.3]),
  plain('fits', 'ImageMagick'),
  byMagick('deep.fits', [], photo, ['-colorspace', 'Gray', '-depth', 16]),
  byNetpbm('netpbm.fits', 'pamtofits', 'PGM'),
]

/** Luminance of light, as the grey EXR has it. */
const grey = async () => {
  const data = pixels()
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [0, 1, 2].map((part) => linear(data[at + part]!)) as [number, number, number]
    data.fill(encoded(0.2126 * red + 0.7152 * green + 0.0722 * blue), at, at + 3)
  }
  return { width, height, data }
}
