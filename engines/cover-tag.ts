import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('cover-tag/write.ts')

/**
 * Writes an image as tags for FFmpeg, for formats that store the cover in a tag. The arguments are the image's media
 * type, width and height.
 */
export const coverTag: Engine = {
  ...node,
  name: 'cover-tag',
  argv: (job, args) => [command, args, job.input, job.output],
}
