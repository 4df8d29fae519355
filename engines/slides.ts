import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('slides/write.ts', { folders: ['text'] })

/** Makes a page that flows out of slides or drawings in flat OpenDocument, with their tables, pictures and notes. */
export const slides: Engine = {
  ...own,
  name: 'slides',
  argv: (job, args) => [command, job.input, job.output, args],
}
