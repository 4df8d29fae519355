import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('slides/write.ts', { folders: ['text'] })

/** Makes flowing HTML from slides or drawings in flat OpenDocument, with their tables, images and notes. */
export const slides: Engine = {
  ...own,
  name: 'slides',
  argv: (job, args) => [command, job.input, job.output, args],
}
