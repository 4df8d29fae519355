import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args } from '../../kernel/contract.ts'
import type { Decoder, Encoder, Picture } from './codec.ts'

/** FFmpeg's decoders by format. */
const CODECS: Readonly<Record<string, string>> = { jls: 'jpegls', qoi: 'qoi', ras: 'sunrast', jp2: 'jpeg2000' }

/** Linear light to sRGB and back. Without the ranges, alpha would be taken for television's 16 to 235. */
const curve = (from: 'linear' | 'iec61966-2-1', to: 'linear' | 'iec61966-2-1') =>
  `zscale=transferin=${from}:transfer=${to}:matrixin=gbr:matrix=gbr:` +
  'primariesin=bt709:primaries=bt709:rangein=full:range=full'

const read = (from: readonly string[], codec: (from: string) => string | undefined): Decoder => ({
  engine: ffmpeg,
  from,
  decode: (job, run, { folder }) =>
    run(ffmpeg, ['-f', 'image2', '-c:v', codec(job.from), '-i', '-frames:v', 1], { output: `${folder}/001.png` }),
})

/** Textures of games in blocks of one and two channels, and under the header of Direct3D 10. */
export const textureDecoder = read(['dds'], () => 'dds')

export const ffmpegDecoders: readonly Decoder[] = [
  read(Object.keys(CODECS), (from) => CODECS[from]),
  {
    // OpenEXR holds linear light, with colours multiplied by alpha.
    engine: ffmpeg,
    from: ['exr'],
    decode: (_, run, { folder }) => {
      const filter = [
        'format=gbrapf32le',
        'unpremultiply=inplace=1',
        curve('linear', 'iec61966-2-1'),
        'format=rgba64be',
      ]
      const args = ['-f', 'image2', '-c:v', 'exr', '-i', '-frames:v', 1, '-vf', filter.join(',')]
      return run(ffmpeg, args, { output: `${folder}/001.png` })
    },
  },
]

/** FFmpeg as an encoder of one picture. */
const write = (to: string, traits: Partial<Encoder>, args: (picture: Picture) => Args): Encoder => ({
  engine: ffmpeg,
  needs: [to],
  to: [to],
  ...traits,
  encode: (_, run, picture) =>
    run(ffmpeg, ['-f', 'image2', '-c:v', 'png', '-i', args(picture), '-c:v', to, '-f', 'image2'], picture),
})

export const ffmpegEncoders: readonly Encoder[] = [
  write('qoi', {}, ({ alpha }) => ['-pix_fmt', alpha ? 'rgba' : 'rgb24']),
  write('exr', { deep: true }, ({ alpha }) => {
    const linear = curve('iec61966-2-1', 'linear')
    const filter = alpha ? ['format=gbrapf32le', linear, 'premultiply=inplace=1'] : ['format=gbrpf32le', linear]
    return ['-vf', filter.join(','), '-format', 'half', '-compression', 'zip16']
  }),
]
