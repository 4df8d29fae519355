import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { jlsWrapper } from '../../engines/jls.ts'
import type { Args, Page } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'

/** FFmpeg's decoders by format. */
const CODECS: Readonly<Record<string, string>> = { jls: 'jpegls', qoi: 'qoi', ras: 'sunrast', jp2: 'jpeg2000' }

/** Converts linear light to sRGB and back. Without the ranges, FFmpeg would read alpha as limited range, 16 to 235. */
const curve = (from: 'linear' | 'iec61966-2-1', to: 'linear' | 'iec61966-2-1') =>
  `zscale=transferin=${from}:transfer=${to}:matrixin=gbr:matrix=gbr:` +
  'primariesin=bt709:primaries=bt709:rangein=full:range=full'

const read = (
  from: readonly string[],
  codec: (from: string) => string | undefined,
  more: Args = [],
  before: Reader['steps'] = [],
): Reader => ({
  from,
  engine: ffmpeg,
  steps: [
    ...before,
    {
      engine: ffmpeg,
      args: (job) => ['-f', 'image2', '-c:v', codec(job.from), '-i', '-frames:v', 1, more],
      output: 'decoded/001.png',
    },
  ],
})

/** OpenEXR stores linear light, with colours multiplied by alpha. */
const display = [
  'format=gbrapf32le',
  'unpremultiply=inplace=1',
  curve('linear', 'iec61966-2-1'),
  'format=rgba64be',
].join(',')

/** FFmpeg 5 makes colours of pictures in luminance alone. */
const refuseGray: Reader['steps'][number] = {
  engine: ffprobe,
  args: () => ['-f', 'exr_pipe', '-show_entries', 'stream=pix_fmt'],
  facts: (lines) => {
    if (lines.some((line) => line.includes('"gray'))) throw fail('CONVERSION_ERROR', 'The picture has no colours')
    return {}
  },
  output: false,
}

/** Game textures in blocks of one and two channels, and with the header of Direct3D 10. */
export const textureReader = read(['dds'], () => 'dds')

/** FFmpeg makes some pictures black. */
const refuseAlternating: Reader['steps'][number] = { engine: jlsWrapper, args: () => ['--check'], output: false }

export const ffmpegReaders: readonly Reader[] = [
  read(['qoi', 'ras', 'jp2'], (from) => CODECS[from]),
  read(['jls'], (from) => CODECS[from], [], [refuseAlternating]),
  read(['exr'], () => 'exr', ['-vf', display], [refuseGray]),
]

const write = (to: string, args: (page: Page) => Args): Writer => ({
  to: [to],
  steps: [
    {
      engine: ffmpeg,
      needs: [to],
      ...eachPage,
      args: (_, { page }) => ['-f', 'image2', '-c:v', 'png', '-i', args(page), '-c:v', to, '-f', 'image2'],
    },
  ],
})

export const ffmpegWriters: readonly Writer[] = [
  write('qoi', ({ alpha }) => ['-pix_fmt', alpha ? 'rgba' : 'rgb24']),
  write('exr', ({ alpha }) => {
    const linear = curve('iec61966-2-1', 'linear')
    const filter = alpha ? ['format=gbrapf32le', linear, 'premultiply=inplace=1'] : ['format=gbrpf32le', linear]
    return ['-vf', filter.join(','), '-format', 'half', '-compression', 'zip16']
  }),
]
