import { failure, look } from '../../engines/ffmpeg/look.ts'
import type { Media, Picture } from '../../engines/ffmpeg/media.ts'
import { checkWhole } from '../../engines/ffmpeg/whole.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import { boundAnimation } from './animation.ts'
import { encodePicture } from './codecs.ts'
import { picturesFit } from './copying.ts'
import { pictureFilters } from './filters.ts'
import { longest } from './length.ts'
import type { VideoOptions } from './options.ts'
import { openSounds, type Sounds, soundArgs } from './sounds.ts'
import { subtitleArgs } from './subtitles.ts'
import { type Target, targets } from './targets.ts'

/** A film to be converted. */
export interface Film {
  media: Media
  picture: Picture
  sounds: Sounds
}

/**
 * Looks into the source. Throws CONVERSION_ERROR where nothing moves, ENCRYPTED_INPUT where that takes a key,
 * RESOURCE_LIMIT for an animation that would never end.
 */
async function openFilm(job: Job<VideoOptions>, run: Run, target: Target): Promise<Film> {
  const media = await look(job, run)
  const picture = media.video
  boundAnimation(media, job.options)
  if (!picture) {
    const message = media.unknown.length ? 'The pictures are in a codec that cannot be decoded here' : 'No video inside'
    throw failure('CONVERSION_ERROR', `${message}: there is nothing to make a video of`)
  }
  return { media, picture, sounds: await openSounds(job, run, media, target) }
}

/** One try: what is copied, and whether subtitles come along. */
interface Attempt {
  copyPicture: boolean
  copySounds: boolean
  subtitles: boolean
}

/** Converts a film: streams that fit are copied, the others encoded; what cannot be copied after all is encoded. */
export async function convert(job: Job<VideoOptions>, run: Run): Promise<void> {
  const target = targets[job.to]!
  const film = await openFilm(job, run, target)
  const copyPicture = picturesFit(film.media, target, job) && !(await cut(job, run, film, target))
  const copySounds = film.sounds.fit
  const subtitles = film.media.subtitles.length > 0
  const attempts: Attempt[] = [
    { copyPicture, copySounds, subtitles },
    ...(copyPicture || copySounds ? [{ copyPicture: false, copySounds: false, subtitles }] : []),
    ...(subtitles ? [{ copyPicture: false, copySounds: false, subtitles: false }] : []),
  ]
  let refusal: unknown
  for (const attempt of attempts) {
    let lines: string[]
    try {
      lines = await run(ffmpeg, argsFor(film, target, job, attempt))
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
      refusal ??= error
      continue
    }
    return checkWhole(lines, 'video', film.media.demuxer, film.media.seconds)
  }
  throw refusal
}

/** Whether an edit list leaves out pictures, which only the family of QuickTime can say. */
async function cut(job: Job, run: Run, { media, picture }: Film, target: Target): Promise<boolean> {
  if (media.demuxer !== 'mov' || target.turns) return false
  const { video } = await look(job, run, ['-ignore_editlist', '1'])
  return Math.abs((video?.seconds ?? 0) - (picture.seconds ?? 0)) > 0.12
}

function argsFor(film: Film, target: Target, job: Job<VideoOptions>, attempt: Attempt): Args {
  const { media, picture, sounds } = film
  const from = media.demuxer === 'ogg' ? `0:s:${picture.index}` : '0:g'
  return [
    ['-fflags', '+genpts', '-f', media.demuxer, '-i', sounds.input, '-map', `0:${picture.index}`, sounds.maps],
    attempt.subtitles && subtitleArgs(media.subtitles, target),
    attempt.copyPicture ? copied(picture, target) : encoded(film, target, job.options),
    soundArgs(film, target, job.options, attempt.copySounds),
    target.cover && media.cover && stillArgs(media.cover),
    [
      '-map_metadata',
      from,
      media.place && target.turns && ['-metadata', `location=${media.place}`],
      '-map_chapters',
      0,
    ],
    ['-max_muxing_queue_size', 4096, target.muxer],
  ]
}

/** The picture that stands for a film. */
const stillArgs = ({ index }: Picture): Args => [
  ['-map', `0:${index}`, '-c:v:1', 'copy', '-disposition:v:1', 'attached_pic'],
]

/** Players of Apple know H.265 by one tag alone. */
const copied = ({ codec }: Picture, { turns }: Target): Args => [
  ['-c:v:0', 'copy', codec === 'hevc' && turns && ['-tag:v:0', 'hvc1']],
]

function encoded({ media, picture, sounds }: Film, target: Target, options: VideoOptions): Args {
  const filters = pictureFilters(picture, target, options)
  const length = target.muxer.includes('mxf') && sounds.list.length > 0 && longest(media)
  // The muxer of mxf cuts to the shorter track.
  if (length) filters.unshift('tpad=stop_mode=clone:stop=-1')
  return [
    ['-filter:v:0', filters.join(','), '-fps_mode:v:0', target.even ? 'cfr' : 'vfr'],
    [encodePicture(target.codec, options), length && ['-t', length]],
  ]
}
