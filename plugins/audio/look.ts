import { channelsFor, rateFor } from '../../engines/ffmpeg/coders.ts'
import { look } from '../../engines/ffmpeg/look.ts'
import { type Media, measuresOf, type Sound } from '../../engines/ffmpeg/media.ts'
import { speechOf } from '../../engines/ffmpeg/speech.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Args, Facts, Job, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { type CoverBy, coverBy } from './cover-kind.ts'
import type { AudioOptions } from './options.ts'
import { type Target, targets } from './targets.ts'

/** Measurements of a pass over the audio: loudness and threshold in LUFS, range in LU, true peak in dBTP. */
export interface Measured {
  loudness: number
  threshold: number
  range: number
  peak: number
}

/** Results of the passes that measure loudness, so far. */
type Loudness = {
  measured?: Measured
  /** Whether a constant gain would clip peaks. */
  clips?: boolean
  /** LUFS after loudnorm has adjusted the audio. */
  followed?: number
}

/** Facts that the steps of a job pass on. */
export type Known = {
  media: Media
  /** The audio stream to convert: the first one. */
  sound: Sound
  /** Whether the audio is speech, which SoX decodes first. */
  speech: 'bare' | 'wrapped' | undefined
  /** Whether the samples have 32 bits, which FFmpeg cannot read in FLAC: another program decodes them first. */
  deep: boolean
  /** Whether the stream may be copied, is encoded, or the file is made smaller without changing it. */
  way: 'copy' | 'encode' | 'shrink'
  /** How the target stores the source's cover; undefined: there is none, or the target cannot store it. */
  cover: Target['cover']
  /** How to get a JPEG or PNG of the cover; undefined: there is none. */
  coverBy: CoverBy | undefined
  /** The cover or its tag, as written by a step. */
  coverFile?: string
  /** Channels of the result. */
  channels: number
  /** Expected duration of the result in seconds, as far as the source tells it. */
  seconds: number | undefined
  /** Whether measuring it takes so long that it is work for the heavy lane. */
  long: boolean
  /** Whether encoding it does, or decoding it. */
  endless: boolean
} & Loudness

/** Audio is read twice to set its loudness. */
const LONG_SECONDS = 600
/** Encoders of sound are at least thirty times as fast as players, also on a busy machine. */
const ENDLESS_SECONDS = 3600
/** Bytes per second of speech, for sources that do not tell their duration. */
const SPARSE = 2000

export const known = (facts: Facts<Known>) => facts.more as Known

/** Reads the source's streams and decides how to convert it. */
export const lookInside: Step<AudioOptions, Known> = {
  engine: ffprobe,
  output: false,
  convert: async (job, run) => {
    const media = await look(job, run)
    return { more: decided(job, media), source: measuresOf(media) }
  },
}

function decided({ to, intent, size, options }: Job<AudioOptions>, media: Media): Known {
  const [sound] = media.sounds
  if (!sound && media.unknown.length)
    throw fail('CONVERSION_ERROR', 'The sound is in a codec that cannot be decoded here')
  if (!sound) throw fail('CONVERSION_ERROR', 'There is no sound in the file')
  // ffmpeg cannot write AMR, so it writes samples of one channel.
  const target = targets[to]
  const speech = speechOf(media)
  const by = coverBy(media)
  const deep = media.demuxer === 'flac' && sound.depth > 24
  const lasts = sound.seconds ?? media.seconds
  const asked = intent === 'transform' && !asksMore(options) ? 'shrink' : 'encode'
  const way = asked === 'encode' && target && !speech && !deep && fits(sound, target, options) ? 'copy' : asked
  return {
    media,
    sound,
    speech: asked === 'encode' ? speech : undefined,
    deep: deep && way === 'encode',
    way,
    cover: by && !speech && asked === 'encode' ? target?.cover : undefined,
    coverBy: by,
    channels: target ? channelsFor(target.coder(sound), sound.channels, options.channels) : 1,
    seconds: lasts && Math.min(lasts, target?.max ?? lasts),
    // What tells no duration, such as a raw stream, may be long.
    long: (lasts ?? Number.POSITIVE_INFINITY) > LONG_SECONDS,
    endless: (lasts ?? size / SPARSE) > ENDLESS_SECONDS,
  }
}

const asksMore = ({ bitrate, sampleRate, channels, normalize }: AudioOptions) =>
  normalize || [bitrate, sampleRate, channels].some((option) => option !== undefined)

/** Whether the stream can stay unchanged. */
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

/** Whether the input is sound that another program has decoded, not the source. */
export const isDecoded = ({ speech, deep }: Known): boolean => speech !== undefined || deep

/** Arguments that open the input. */
export const opened = (it: Known): Args =>
  isDecoded(it) ? ['-f', 'wav', '-ignore_length', 1, '-i'] : ['-f', it.media.demuxer, '-i']

/** Arguments that select the audio. */
export const chosen = (it: Known): Args => ['-map', `0:${isDecoded(it) ? 0 : it.sound.index}`]
