import { channelsFor, rateFor } from '../../engines/ffmpeg/coders.ts'
import { look } from '../../engines/ffmpeg/look.ts'
import type { Media, Sound } from '../../engines/ffmpeg/media.ts'
import { speechOf } from '../../engines/ffmpeg/speech.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Args, Facts, Job, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import type { Loudness } from './loudness.ts'
import type { AudioOptions } from './options.ts'
import { type Target, targets } from './targets.ts'

/** What the steps of a job tell each other. */
export type Known = {
  media: Media
  /** The sound that is converted: the first one. */
  sound: Sound
  /** Whether the sound is speech, which SoX decodes first. */
  speech: 'bare' | 'wrapped' | undefined
  /** Whether the stream may be copied, is encoded, or the file is made smaller without touching it. */
  way: 'copy' | 'encode' | 'shrink'
  /** How the target keeps the source's cover; undefined: there is none, or the target has no place for it. */
  cover: Target['cover']
  /** The cover or its tag, as a step has written it. */
  coverFile?: string
  /** Channels of the result. */
  channels: number
  /** Seconds that the result should last, as far as the source tells. */
  seconds: number | undefined
} & Loudness

export const known = (facts: Facts) => facts.more as Known

/** Looks into the source and decides on the way. */
export const lookInside: Step<AudioOptions> = {
  ...{ engine: ffprobe, output: false },
  convert: async (job, run) => ({ more: decided(job, await look(job, run)) }),
}

function decided({ to, intent, options }: Job<AudioOptions>, media: Media): Known {
  const [sound] = media.sounds
  if (!sound && media.unknown.length)
    throw fail('CONVERSION_ERROR', 'The sound is in a codec that cannot be decoded here')
  if (!sound) throw fail('CONVERSION_ERROR', 'There is no sound in the file')
  // AMR is no target of ffmpeg's: it gets samples of one channel.
  const target = targets[to]
  const speech = speechOf(media)
  const lasts = sound.seconds ?? media.seconds
  const way = intent === 'transform' && !asksMore(options) ? 'shrink' : 'encode'
  return {
    ...{ media, sound, speech: way === 'encode' ? speech : undefined },
    way: way === 'encode' && target && !speech && fits(sound, target, options) ? 'copy' : way,
    cover: media.cover && !speech && way === 'encode' ? target?.cover : undefined,
    channels: target ? channelsFor(target.coder(sound), sound.channels, options.channels) : 1,
    seconds: lasts && Math.min(lasts, target?.most ?? lasts),
  }
}

const asksMore = ({ bitrate, sampleRate, channels, normalize }: AudioOptions) =>
  normalize || [bitrate, sampleRate, channels].some((option) => option !== undefined)

/** Whether the stream can stay as it is. */
function fits(
  sound: Sound,
  { copies, coder }: Target,
  { bitrate, sampleRate, channels, normalize }: AudioOptions,
): boolean {
  const encoder = coder(sound)
  const lossy = Boolean(encoder.kbits ?? encoder.quality)
  const asked = normalize || (bitrate !== undefined && lossy)
  const rate = sampleRate !== undefined && rateFor(encoder, sound.rate, sampleRate) !== sound.rate
  const mix = channelsFor(encoder, sound.channels, channels) !== sound.channels
  return copies.includes(sound.codec) && !asked && !rate && !mix
}

/** Demuxer of the input, whose sound is speech that is decoded, or the source's. */
const demuxerOf = ({ media, speech }: Known) => (speech ? 'wav' : media.demuxer)

/** Arguments that open the input. */
export const opened = (it: Known): Args => ['-f', demuxerOf(it), it.speech && ['-ignore_length', 1], '-i']

/** Arguments that choose the sound. */
export const chosen = ({ sound, speech }: Known): Args => ['-map', `0:${speech ? 0 : sound.index}`]
