import { isPlain, type Picture } from '../../engines/ffmpeg/media.ts'
import { decodeSpeech } from '../../engines/ffmpeg/speech.ts'
import { checkWhole } from '../../engines/ffmpeg/whole.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Facts, Job, Step, StepState } from '../../kernel/contract.ts'
import { encodePicture } from './codecs.ts'
import { pictureFilters } from './filters.ts'
import { isClear, type Known, known, lookInside } from './look.ts'
import type { VideoOptions } from './options.ts'
import { longest, soundArgs, soundInput, soundMaps } from './sounds.ts'
import { subtitleArgs } from './subtitles.ts'
import { type Target, targets } from './targets.ts'

/** Settings of one attempt. */
interface Attempt {
  copiesPicture: boolean
  copiesSounds: boolean
  subtitles: boolean
}

/** Refuses a result that is shorter than its source. */
function whole(lines: readonly string[], _: unknown, { facts }: StepState<Known>): Partial<Facts<Known>> {
  const { media } = known(facts)
  checkWhole(lines, 'video', media.demuxer, media.seconds)
  return {}
}

const made = { engine: ffmpeg, input: 'source', output: 'made.{to}', facts: whole } as const
const encoding = { copiesPicture: false, copiesSounds: false } as const

/**
 * Copies compatible streams and encodes the others. If that fails, encodes all; then omits the subtitles. To encode
 * pictures is heavy, also for a file that was taken for one to copy.
 */
export const convert: readonly Step<VideoOptions, Known>[] = [
  lookInside,
  ...decodeSpeech,
  {
    ...made,
    optional: true,
    when: { more: { copies: [true] } },
    heavy: { more: { slow: [true] } },
    args: (job, { facts }) => argsFor(known(facts), job, known(facts)),
  },
  {
    ...made,
    optional: true,
    when: { more: { subtitles: [true] }, not: { written: made.output } },
    heavy: {},
    args: (job, { facts }) => argsFor(known(facts), job, { ...encoding, subtitles: true }),
  },
  {
    ...made,
    when: { more: { shrinks: [false] }, not: { written: made.output } },
    heavy: {},
    args: (job, { facts }) => argsFor(known(facts), job, { ...encoding, subtitles: false }),
    facts: (...seen) => ({ ...whole(...seen), more: { subtitles: false } }),
  },
]

function argsFor(it: Known, { to, options }: Job<VideoOptions>, attempt: Attempt): Args {
  const { media, picture } = it
  const target = targets[to]!
  const from = media.demuxer === 'ogg' ? `0:s:${picture.index}` : '0:g'
  return [
    ['-fflags', '+genpts', '-f', media.demuxer, !attempt.copiesPicture && picture.clear && ['-c:v', picture.clear]],
    ['-i', soundInput(it), '-map', `0:${picture.index}`, soundMaps(it)],
    attempt.subtitles && subtitleArgs(media.subtitles, target),
    attempt.copiesPicture ? copied(picture, target) : encoded(it, target, options),
    soundArgs(it, target, options, attempt.copiesSounds),
    target.cover && stillArgs(media.covers.find(isPlain)),
    ['-map_metadata', from, media.place && target.turns && ['-metadata', `location=${media.place}`]],
    ['-map_chapters', 0, '-max_muxing_queue_size', 4096, target.muxer],
  ]
}

/** The cover of a video. */
const stillArgs = (cover: Picture | undefined): Args =>
  cover ? ['-map', `0:${cover.index}`, '-c:v:1', 'copy', '-disposition:v:1', 'attached_pic'] : []

/** Apple's players recognise H.265 only by one tag. */
const copied = ({ codec, rate }: Picture, { turns, even }: Target): Args => [
  ['-c:v:0', 'copy', codec === 'hevc' && turns && ['-tag:v:0', 'hvc1']],
  // Otherwise the clock of the source becomes the frame rate, with an empty frame after each.
  even && rate && ['-r:v:0', rate],
]

function encoded({ media, picture, sounds }: Known, target: Target, options: VideoOptions): Args {
  const filters = pictureFilters(picture, target, options)
  const length = target.muxer.includes('mxf') && sounds.length > 0 && longest(media)
  // The mxf muxer truncates to the shorter track.
  if (length) filters.unshift('tpad=stop_mode=clone:stop=-1')
  // Black shows through, as in players, and not the colors that the alpha channel hides.
  if (isClear(picture)) filters.unshift('premultiply=inplace=1')
  // By the clock of the frame rate, frames that are closer to each other than usual would be dropped.
  const exact = picture.uneven && target.codec.timely && !options.framerate && picture.codec !== 'gif'
  return [
    ['-filter:v:0', filters.join(','), '-fps_mode:v:0', target.even ? 'cfr' : 'vfr'],
    exact && ['-enc_time_base:v:0', -1],
    [encodePicture(target.codec, options), length && ['-t', length]],
  ]
}
