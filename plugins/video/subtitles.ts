import type { Stream } from '../../engines/ffmpeg/media.ts'
import type { Args } from '../../kernel/contract.ts'
import type { Target } from './targets.ts'

/** Codecs of subtitles that are text; the others are pictures. */
const texts = ['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']

/** Takes along the subtitles that the target can hold: as they are, or as its own kind of text. */
export function subtitleArgs(streams: readonly Stream[], { text, subtitles = [] }: Target): Args {
  const held = streams.filter(({ codec = '' }) => subtitles.includes(codec) || (text && texts.includes(codec)))
  return held.map(({ index, codec = '' }, at) => [
    ['-map', `0:${index}`, `-c:s:${at}`, subtitles.includes(codec) ? 'copy' : text],
  ])
}
