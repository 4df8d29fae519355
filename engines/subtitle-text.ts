import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('subtitle/tidy.ts', { folders: ['text'] })

/**
 * Rewrites subtitles in UTF-8, from any character set. The argument is their format. Of WebVTT only cues stay, since
 * FFmpeg 5.1 stops reading at a style sheet; of SubRip, typefaces and sizes go.
 */
export const subtitleText: Engine = {
  ...own,
  name: 'subtitle-text',
  argv: (job, args) => [command, job.input, job.output, args],
}
