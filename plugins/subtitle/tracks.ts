import type { Facts, Job } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'

/** Options of all targets. */
export interface SubtitleOptions {
  /** Which track of text in a video, counted from 1. */
  track?: number
}

/** FFmpeg's names of subtitles that are pictures. */
const pictures = ['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub']

/**
 * Finds the stream of the wanted track in what ffprobe printed, as the fact `stream`.
 *
 * @throws CONVERSION_ERROR if the video has no such track of text.
 */
export function tracksIn(lines: readonly string[], { options: { track = 1 } }: Job<SubtitleOptions>): Partial<Facts> {
  const { streams = [] } = JSON.parse(lines.filter((line) => !line.startsWith('[')).join('\n'))
  const tracks = (streams as { index: number; codec_type: string; codec_name?: string }[]).filter(
    ({ codec_type }) => codec_type === 'subtitle',
  )
  const readable = tracks.filter(({ codec_name }) => codec_name && !pictures.includes(codec_name))
  const chosen = readable[track - 1]
  if (chosen) return { more: { stream: chosen.index } }
  if (readable.length > 0)
    throw fail('CONVERSION_ERROR', `The video has ${counted(readable.length)} of text; track ${track} does not exist`)
  const instead = tracks.length > 0 ? 'Its subtitles are pictures' : 'It has no subtitles'
  throw fail('CONVERSION_ERROR', `The video has no track of text. ${instead}`)
}

const counted = (count: number) => (count === 1 ? '1 track' : `${count} tracks`)
