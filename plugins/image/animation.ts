import { look } from '../../engines/ffmpeg/look.ts'
import type { Picture } from '../../engines/ffmpeg/media.ts'
import { toned } from '../../engines/ffmpeg/toned.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { maxPixels } from '../../engines/programs/sharp/spec.ts'
import type { Args, Facts, Run, StepState } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import type { ImageFacts, ImageJob } from './facts.ts'
import type { Reader, Writer } from './stages.ts'
import { sized } from './target-size.ts'
import { moves, qualityOf } from './targets.ts'

/** Limits the decoded frames: one for a still target, otherwise at most `bound`. They play endlessly, as in AVIF. */
const frames = ({ to }: ImageJob, { facts }: StepState<ImageFacts>): Args => [
  '-frames:v',
  moves(to) ? facts.more?.maxFrames : 1,
  '-fps_mode',
  'passthrough',
  '-plays',
  0,
  '-f',
  'apng',
]

/** Alpha may be coded in television's range of 16 to 235, which swscale widens for luma with chroma only. */
const alpha = '[0:v:1]format=yuv444p,scale=out_range=full,format=gray[alpha]'
const dimmed = `${toned.join(',')}[dimmed];[dimmed]`
const clear = ({ facts }: StepState<ImageFacts>) => [
  '-filter_complex',
  `${alpha};[0:v:0]${facts.more?.hdr ? dimmed : ''}[alpha]alphamerge`,
]
const decoded = 'decoded/001.png'
const source = ['-f', 'mov', '-i']

/** Reads AVIF sequences into an animated PNG. Transparency, if any, is a separate track. */
export const sequenceReader: Reader = {
  from: ['avif'],
  engine: ffmpeg,
  timed: true,
  steps: [
    { engine: ffprobe, convert: inspect, output: false },
    { engine: ffmpeg, args: (job, now) => [source, clear(now), frames(job, now)], output: decoded, optional: true },
    {
      engine: ffmpeg,
      when: { not: { written: decoded } },
      args: (job, now) => [source, now.facts.more?.hdr && ['-vf', toned.join(',')], frames(job, now)],
      output: decoded,
    },
  ],
}

async function inspect(job: ImageJob, run: Run) {
  const { video } = await look(job, run)
  return { more: { hdr: video?.hdr ?? false, ...(moves(job.to) && bound(video)) } }
}

/**
 * Refuses sequences with more pixels than sharp accepts, before FFmpeg decodes them all. Returns the maximum number
 * of frames to decode: the declared number or, if there is none, one more than sharp accepts. Throws RESOURCE_LIMIT.
 */
function bound({ width = 0, height = 0, frames }: Partial<Picture> = {}) {
  const max = Math.floor(maxPixels / Math.max(1, width * height))
  if (frames === undefined || frames <= max) return { maxFrames: frames ?? max + 1 }
  const [count, ...size] = [frames, width, height].map((number) => number.toLocaleString('en'))
  throw fail(
    'RESOURCE_LIMIT',
    `The animation has ${count} frames of ${size.join(' × ')} pixels; at most 268 megapixels can be converted`,
  )
}

/** Full-range BT.709 without subsampling, with sRGB colours. */
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

/** Writes one AVIF sequence from an animated PNG, with its delays. It loops forever. */
export const sequenceWriter: Writer = {
  to: ['avif'],
  steps: sized({
    engine: ffmpeg,
    needs: ['libaom-av1'],
    output: 'sequence.avif',
    args: (job, { page, facts }) => {
      const { lossless } = job.options
      const colour = lossless ? 'format=gbrp' : luma
      const split = `[v]split[a][b];[a]${colour}[c];[b]alphaextract,format=gray[d]`
      const tracks = `[0:v]settb=1/1000[v];${page.alpha ? split : `[v]${colour}[c]`}`
      // AV1's quantiser goes from 63 to 0, as in libavif.
      const rate = lossless
        ? ['-crf', 0, '-aom-params', 'lossless=1']
        : ['-crf', Math.round((100 - qualityOf(job)) * 0.63), colours]
      const maps = ['-map', '[c]', page.alpha && ['-map', '[d]'], '-c:v', 'libaom-av1', '-cpu-used', 6]
      return ['-f', 'apng', '-i', '-filter_complex', tracks, maps, rate, timing(facts), '-f', 'avif']
    },
  }),
}

/** Exact milliseconds. FFmpeg derives a frame's duration from the next frame, so the last one needs its own. */
function timing({ more }: Facts<ImageFacts>): Args {
  const { count, last } = more?.frames ?? { count: 0, last: 0 }
  return [
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    -1,
    '-bsf:v',
    `setts=duration=if(eq(N\\,${count - 1})\\,${last}/TB/1000\\,DURATION)`,
  ]
}
