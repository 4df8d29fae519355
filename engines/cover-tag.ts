import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('cover-tag/write.ts')

/**
 * Writes a picture as tags that ffmpeg reads, for the formats whose cover is a tag. The arguments are the picture's media
 * type, width and height.
 */
export const coverTag: Engine = {
  ...node,
  name: 'cover-tag',
  argv: (job, args) => [command, args, job.input, job.output],
}
