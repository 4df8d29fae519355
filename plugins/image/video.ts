import { look } from '../../engines/ffmpeg/look.ts'
import { measuresOf, streamsBut } from '../../engines/ffmpeg/media.ts'
import { toned } from '../../engines/ffmpeg/toned.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Args, Facts, Route } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { film } from '../formats/film/films.ts'
import type { ImageFacts, ImageJob, ImageStep } from './facts.ts'
import type { ImageOptions } from './options.ts'

/** Frames per second, and width in pixels without a box. Larger values would make files that are too large to send. */
const rate = 12
const usual = 640

/** Seconds of a film that are decoded twice within the time limit of light jobs, also on a busy machine. */
const LONG = 120

/** Finds the video, which is not always the first picture. Refuses locked films. */
const lookInside: ImageStep = {
  engine: ffprobe,
  output: false,
  convert: async (job, run) => {
    const media = await look(job, run)
    const { demuxer, seconds, video } = media
    if (!video) throw fail('CONVERSION_ERROR', 'No video inside: there is nothing to make an animation of')
    const movie = { demuxer, seconds, video, others: streamsBut(media, [video]) }
    const long = (seconds ?? Number.POSITIVE_INFINITY) > LONG
    return { more: { movie, long }, source: measuresOf(media) }
  },
}

function movieIn({ more }: Facts<ImageFacts>): ImageFacts['movie'] {
  if (!more?.movie) throw new Error('The film was not inspected')
  return more.movie
}

function source(facts: Facts<ImageFacts>): Args {
  const { demuxer, video } = movieIn(facts)
  return ['-f', demuxer, video.clear && ['-c:v', video.clear], '-i']
}

function frames({ options }: ImageJob, facts: Facts<ImageFacts>): string {
  const { video, seconds = 0 } = movieIn(facts)
  // A film shorter than one frame would have none: its last picture stays for one.
  const held = seconds < 1 / rate ? `tpad=stop_mode=clone:stop_duration=${1 / rate},` : ''
  const colours = video.hdr ? `,${toned.join(',')}` : ''
  return `[0:${video.index}]${held}fps=${rate}${colours},scale=iw*max(1\\,sar):ih,setsar=1,${fitting(options)},setsar=1`
}

const palette = 'palette.png'

/** Videos as animated GIF, with one palette for all frames. Two passes, so that frames do not wait in memory. */
export const animations: Route<ImageOptions> = {
  from: film,
  to: ['gif'],
  engine: ffmpeg,
  needs: ['gif'],
  steps: [
    lookInside,
    {
      engine: ffmpeg,
      input: 'source',
      heavy: { more: { long: [true] } },
      args: (job, { facts }) => [
        source(facts),
        '-lavfi',
        `${frames(job, facts)},palettegen`,
        '-frames:v',
        1,
        '-f',
        'image2',
        '-c:v',
        'png',
      ],
      output: palette,
    },
    {
      engine: ffmpeg,
      input: 'source',
      args: (job, { facts }) => {
        const paint = `${frames(job, facts)}[f];[f][1:v]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle`
        return [source(facts), '-i', `${job.scratch}/${palette}`, '-lavfi', paint, '-loop', 0, '-f', 'gif']
      },
    },
  ],
}

/** Filters of a fit; `inside` and `outside` never enlarge. */
function fitting({ maxWidth, maxHeight, fit = 'inside' }: ImageOptions): string {
  const both = maxWidth !== undefined && maxHeight !== undefined
  const box = `${maxWidth}:${maxHeight}`
  if (both && fit === 'fill') return `scale=${box}`
  if (both && fit === 'cover') return `scale=${box}:force_original_aspect_ratio=increase,crop=${box}`
  if (both && fit === 'contain') return `scale=${box}:force_original_aspect_ratio=decrease,pad=${box}:-1:-1:color=white`
  const aspect = both && fit === 'outside' ? 'increase' : 'decrease'
  const width = maxWidth ?? (maxHeight === undefined ? usual : 'iw')
  return `scale=w=min(iw\\,${width}):h=min(ih\\,${maxHeight ?? 'ih'}):force_original_aspect_ratio=${aspect}`
}
