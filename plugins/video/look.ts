import { look } from '../../engines/ffmpeg/look.ts'
import { type Media, measuresOf, type Picture, type Sound } from '../../engines/ffmpeg/media.ts'
import { isSpeech, speechOf } from '../../engines/ffmpeg/speech.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Facts, Job, Run, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { boundAnimation } from './animation.ts'
import { asksPicture, picturesFit, soundsFit } from './copying.ts'
import type { VideoOptions } from './options.ts'
import { type Target, targets } from './targets.ts'

/** Facts that the steps of a job pass on. */
export type Known = {
  media: Media
  /** Whether the file is only remuxed, because the job only asks for a smaller file. */
  shrinks: boolean
  picture: Picture
  /** The audio streams that the target gets. */
  sounds: readonly Sound[]
  /** Whether the audio is speech, which SoX decodes first. */
  speech: 'bare' | 'wrapped' | undefined
  /** The decoded speech as WAV. */
  speechFile?: string
  copiesPicture: boolean
  /** Whether encoding drops an alpha channel. */
  clear: boolean
  copiesSounds: boolean
  /** Whether any stream can be copied. */
  copies: boolean
  subtitles: boolean
  /** Whether encoding is work for the heavy lane: of pictures, or of sound that lasts long. */
  slow: boolean
}

/** Seconds of sound that are encoded within the time limit of light jobs, also on a busy machine. */
const LONG = 3600

export const known = (facts: Facts<Known>) => facts.more as Known

/**
 * Reads the source's streams and decides which are copied. Refuses files without video, and animations that would never
 * end.
 */
export const lookInside: Step<VideoOptions, Known> = {
  engine: ffprobe,
  output: false,
  convert: async (job, run) => {
    const more = await decided(job, run)
    return { more, ...(more.media && { source: measuresOf(more.media) }) }
  },
}

async function decided(job: Job<VideoOptions>, run: Run): Promise<Partial<Known>> {
  const media = await look(job, run)
  if (job.intent === 'transform' && !asked(media, job.options)) return { media, shrinks: true }
  const picture = media.video
  boundAnimation(media, job.options)
  if (!picture) {
    const message = media.unknown.length ? 'The pictures are in a codec that cannot be decoded here' : 'No video inside'
    throw fail('CONVERSION_ERROR', `${message}: there is nothing to make a video of`)
  }
  const target = targets[job.to]!
  const speech = job.options.stripAudio ? undefined : speechOf(media)
  const sounds = soundsFor(media, target, job.options)
  const copiesPicture = picturesFit(media, target, job) && !(await cut(job, run, media, target))
  const copiesSounds = !speech && sounds.length > 0 && soundsFit(media, sounds, target, job)
  return {
    media,
    shrinks: false,
    picture,
    sounds,
    speech,
    copiesPicture,
    clear: !copiesPicture && isClear(picture),
    copiesSounds,
    copies: copiesPicture || copiesSounds,
    subtitles: media.subtitles.length > 0,
    slow: !copiesPicture || (!copiesSounds && sounds.length > 0 && (media.seconds ?? LONG) >= LONG),
  }
}

const asked = ({ video }: Media, options: VideoOptions) =>
  (video && asksPicture(video, options)) || options.audioBitrate !== undefined || options.stripAudio

/** The audio streams that the target gets. Decoded speech is a separate input. */
export function soundsFor({ sounds }: Media, target: Target, { stripAudio }: VideoOptions): readonly Sound[] {
  const [first] = sounds
  if (!first || stripAudio) return []
  if (isSpeech(first)) return [first]
  return sounds.filter((sound, index) => !isSpeech(sound) && (target.sounds || index === 0))
}

/** Whether a picture has an alpha channel. The decoder of GIF has made transparent areas white. */
export const isClear = ({ codec, clear, pixels }: Picture) =>
  codec !== 'gif' && (clear !== undefined || /^(rgba|argb|abgr|bgra|yuva|gbrap|ya)/.test(pixels))

/** Whether an edit list skips frames. Only formats of the QuickTime family have edit lists. */
async function cut(job: Job, run: Run, media: Media, target: Target): Promise<boolean> {
  if (media.demuxer !== 'mov' || target.turns) return false
  const { video } = await look(job, run, ['-ignore_editlist', '1'])
  return Math.abs((video?.seconds ?? 0) - (media.video?.seconds ?? 0)) > 0.12
}
