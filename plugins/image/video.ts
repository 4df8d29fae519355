import { demuxers } from '../../engines/ffmpeg/demuxers.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Job, Route } from '../../kernel/contract.ts'
import { film } from '../formats/film/films.ts'
import type { ImageOptions } from './options.ts'

/** Frames per second, and width in pixels without a box. Larger values would make files that are too large to send. */
const rate = 12
const usual = 640

const source = ({ from }: Job) => ['-f', demuxers[from]?.[0], '-i']
const frames = ({ options }: Job<ImageOptions>) =>
  `[0:v:0]fps=${rate},scale=iw*max(1\\,sar):ih,setsar=1,${fitting(options)}`
const palette = 'palette.png'

/** Videos as animated GIF, with one palette for all frames. Two passes, so that frames do not wait in memory. */
export const animations: Route<ImageOptions> = {
  from: film,
  to: ['gif'],
  needs: ['gif'],
  steps: [
    {
      engine: ffmpeg,
      args: (job) => [
        ...[source(job), '-lavfi', `${frames(job)},palettegen`, '-frames:v', 1, '-f', 'image2', '-c:v', 'png'],
      ],
      output: palette,
    },
    {
      engine: ffmpeg,
      input: 'source',
      args: (job) => {
        const paint = `${frames(job)}[f];[f][1:v]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle`
        return [source(job), '-i', `${job.scratch}/${palette}`, '-lavfi', paint, '-loop', 0, '-f', 'gif']
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
