import type { Source } from '../../../kernel/contract.ts'
import { demuxers } from '../demuxers.ts'
import type { Media } from '../media.ts'
import { readMovie } from './movie.ts'
import { readWave } from './wave.ts'

type Read = (file: Source) => Promise<Media | undefined>

const byDemuxer: Readonly<Record<string, Read>> = { wav: readWave, mov: readMovie }

/**
 * Returns the reader that describes plain files of a format by their own headers, without a process; undefined if there
 * is none. It answers as ffprobe would, or not at all: a file that has anything unusual is left to ffprobe. AVIF is of
 * the same family as MP4, but holds pictures.
 */
export const headOf = (format: string): Read | undefined =>
  format === 'avif' ? undefined : byDemuxer[demuxers[format]?.[0] ?? '']
