import type { Stream } from '../../engines/ffmpeg/media.ts'
import type { Args } from '../../kernel/contract.ts'
import { languageArgs } from './sounds.ts'
import type { Target } from './targets.ts'

/** Subtitle codecs that are text. The others are pictures. */
const texts = ['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']

/** The subtitles that a target supports. */
export const heldSubtitles = (streams: readonly Stream[], { text, subtitles = [] }: Target): readonly Stream[] =>
  streams.filter(({ codec = '' }) => subtitles.includes(codec) || (text && texts.includes(codec)))

/** Copies the subtitles that the target supports, unchanged or as its own kind of text. */
export function subtitleArgs(streams: readonly Stream[], target: Target): Args {
  const { text, subtitles = [] } = target
  return heldSubtitles(streams, target).map(({ index, codec = '', language = '' }, at) => [
    ['-map', `0:${index}`, `-c:s:${at}`, subtitles.includes(codec) ? 'copy' : text],
    languageArgs(target, language, `s:${at}`),
  ])
}
