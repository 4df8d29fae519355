import { look } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { maxPixels } from '../../engines/programs/sharp/spec.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import type { Decoder, Encoder, Picture } from './codec.ts'
import { failure } from './failure.ts'

/** Reads AVIF sequences, whose transparency is a track of its own, into an animated PNG. */
export const avifSequenceDecoder: Decoder = {
  engine: ffmpeg,
  uses: [ffprobe],
  from: ['avif'],
  animated: true,
  decode: async (job, run, { folder, pages }) => {
    const most = pages === 'first' ? 1 : await bound(job, run)
    const frames = ['-frames:v', most, '-fps_mode', 'passthrough', '-f', 'apng']
    const files = { output: `${folder}/001.png` }
    const clear = ['-f', 'mov', '-i', '-filter_complex', '[0:v:0][0:v:1]alphamerge']
    await run(ffmpeg, [clear, frames], files).catch(() => run(ffmpeg, ['-f', 'mov', '-i', frames], files))
  },
}

/**
 * Refuses sequences of more pixels than sharp takes, before FFmpeg decodes them all. Resolves to the frames to decode
 * at most: as many as the file announces, or, where it announces none, one too many for sharp. Throws RESOURCE_LIMIT.
 */
async function bound(job: Job, run: Run): Promise<number> {
  const { width = 0, height = 0, frames } = (await look(job, run)).video ?? {}
  const most = Math.floor(maxPixels / Math.max(1, width * height))
  if (frames === undefined) return most + 1
  if (frames <= most) return frames
  const [count, ...size] = [frames, width, height].map((number) => number.toLocaleString('en'))
  throw failure(
    'RESOURCE_LIMIT',
    `The animation has ${count} frames of ${size.join(' × ')} pixels; at most 268 megapixels can be converted`,
  )
}

/** Full-range BT.709 without subsampling, the colours as sRGB has them. */
const colours = [
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'iec61966-2-1',
  '-color_range',
  'pc',
]
const luma = 'scale=out_color_matrix=bt709:out_range=pc,format=yuv444p'

/** Writes AVIF sequences out of an animated PNG, with its delays; they play for ever. */
export const avifSequenceEncoder: Encoder = {
  engine: ffmpeg,
  needs: ['libaom-av1'],
  to: ['avif'],
  encode: (_, run, picture) => {
    const { alpha, lossless, quality = 55 } = picture
    const colour = lossless ? 'format=gbrp' : luma
    const split = `[v]split[a][b];[a]${colour}[c];[b]alphaextract,format=gray[d]`
    const tracks = `[0:v]settb=1/1000[v];${alpha ? split : `[v]${colour}[c]`}`
    // AV1's quantiser goes from 63 down to 0, as in libavif.
    const rate = lossless
      ? ['-crf', 0, '-aom-params', 'lossless=1']
      : ['-crf', Math.round((100 - quality) * 0.63), colours]
    const maps = ['-map', '[c]', alpha && ['-map', '[d]'], '-c:v', 'libaom-av1', '-cpu-used', 6]
    return run(
      ffmpeg,
      ['-f', 'apng', '-i', '-filter_complex', tracks, maps, rate, timing(picture), '-f', 'avif'],
      picture,
    )
  },
}

/** Milliseconds as they are. FFmpeg knows how long a frame is shown by the next one alone, so the last needs telling. */
const timing = ({ animation: { frames, last } = { frames: 0, last: 0 } }: Picture) => [
  ...['-fps_mode', 'passthrough', '-enc_time_base', -1],
  ...['-bsf:v', `setts=duration=if(eq(N\\,${frames - 1})\\,${last}/TB/1000\\,DURATION)`],
]
