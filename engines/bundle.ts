import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('bundle/write.ts', { modules: ['yazl', 'buffer-crc32'] })

/** Puts a Markdown text and the pictures beside it into a zip. The input is their folder. */
export const bundle: Engine = {
  ...own,
  name: 'bundle',
  argv: (job) => [command, job.input, job.output],
}
