import { channelsFor, encode, laidOut, rateFor } from '../../engines/ffmpeg/coders.ts'
import type { Media } from '../../engines/ffmpeg/media.ts'
import type { Args } from '../../kernel/contract.ts'
import type { Known } from './look.ts'
import type { VideoOptions } from './options.ts'
import type { Target } from './targets.ts'

/** A second input: speech that an earlier step has decoded. */
export const soundInput = ({ speechFile }: Known): Args =>
  speechFile ? ['-f', 'wav', '-ignore_length', 1, '-i', speechFile] : []

/** Selects the audio streams. */
export const soundMaps = ({ sounds, speechFile }: Known): Args =>
  speechFile ? ['-map', '1:0'] : sounds.map(({ index }) => ['-map', `0:${index}`])

/** Arguments for the audio streams of a result, one encoder for each. */
export function soundArgs({ media, sounds }: Known, target: Target, options: VideoOptions, copy: boolean): Args {
  if (sounds.length === 0) return ['-an']
  const languages = sounds.map(({ language = '' }, index) => languageArgs(target, language, `a:${index}`))
  if (copy) return ['-c:a', 'copy', languages]
  const filters = [
    // Gaps in Windows Media stay gaps.
    ...(media.demuxer === 'asf' ? ['aresample=async=1'] : []),
    ...(target.muxer.includes('mxf') ? ['aresample=async=1:first_pts=0', ...(longest(media) ? ['apad'] : [])] : []),
  ]
  const encoded = sounds.map((sound, index) => {
    const channels = channelsFor(target.coder, sound.channels)
    const kbits = options.audioBitrate ?? target.kbits?.[channels > 2 ? 1 : 0]
    const encoding = encode(target.coder, rateFor(target.coder, sound.rate), channels, kbits, `:${index}`)
    const all = [...filters, ...laidOut(target.coder, channels)]
    return [all.length > 0 && [`-filter:a:${index}`, all.join(',')], encoding]
  })
  return [encoded, languages]
}

/** Names the language of a stream, such as `a:0`, if the target has another code for it. */
export const languageArgs = ({ languages }: Target, language: string, stream: string): Args =>
  languages?.[language] ? [`-metadata:s:${stream}`, `language=${languages[language]}`] : []

/** Returns the duration in seconds of the longer one of video and audio. */
export const longest = ({ seconds, video, sounds }: Media): number | undefined =>
  Math.max(video?.seconds ?? 0, sounds[0]?.seconds ?? 0) || seconds
