import { channelsFor, encode, rateFor } from '../../engines/ffmpeg/coders.ts'
import type { Media, Sound } from '../../engines/ffmpeg/media.ts'
import { decodeSpeech, isSpeech } from '../../engines/ffmpeg/speech.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import type { Film } from './convert.ts'
import { soundsFit } from './copying.ts'
import { longest } from './length.ts'
import type { VideoOptions } from './options.ts'
import type { Target } from './targets.ts'

/** The sounds that a result gets. */
export interface Sounds {
  list: readonly Sound[]
  /** A second input, where the first cannot be decoded whole. */
  input: Args
  maps: Args
  /** Whether all can stay as they are. */
  fit: boolean
}

/** Chooses the sounds that the target takes; speech is decoded beforehand. */
export async function openSounds(job: Job<VideoOptions>, run: Run, media: Media, target: Target): Promise<Sounds> {
  const all = job.options.stripAudio ? [] : media.sounds
  const [first] = all
  if (first && isSpeech(first)) {
    const file = await decodeSpeech(job, run, media, first)
    return { list: [first], input: ['-f', 'wav', '-ignore_length', 1, '-i', file], maps: ['-map', '1:0'], fit: false }
  }
  const list = all.filter((sound, index) => !isSpeech(sound) && (target.sounds || index === 0))
  const fit = list.length > 0 && soundsFit(media, list, target, job)
  return { list, input: [], maps: list.map(({ index }) => ['-map', `0:${index}`]), fit }
}

/** Arguments for the sounds of a result, one encoder each. */
export function soundArgs({ media, sounds }: Film, target: Target, options: VideoOptions, copy: boolean): Args {
  if (sounds.list.length === 0) return ['-an']
  if (copy) return ['-c:a', 'copy']
  const filters = [
    // Holes in Windows Media stay holes.
    ...(media.demuxer === 'asf' ? ['aresample=async=1'] : []),
    ...(target.muxer.includes('mxf') ? ['aresample=async=1:first_pts=0', ...(longest(media) ? ['apad'] : [])] : []),
    ...(target.coder.filter ? [target.coder.filter] : []),
  ]
  return sounds.list.map((sound, index) => {
    const channels = channelsFor(target.coder, sound.channels)
    const kbits = options.audioBitrate ?? target.kbits?.[channels > 2 ? 1 : 0]
    const encoding = encode(target.coder, rateFor(target.coder, sound.rate), channels, kbits, `:${index}`)
    return [filters.length > 0 && [`-filter:a:${index}`, filters.join(',')], encoding]
  })
}
