import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const modules = [...sharpModules, 'yazl', 'buffer-crc32']
const { command, ...own } = program('repack/write.ts', { modules })

/**
 * Writes an office document's package anew. `--bare` leaves out what describes it, `--small` packs it and its pictures
 * as well as they go, `--show` makes a presentation one that plays when it is opened, `--flow` puts
 * what stands in text boxes of a text of Word among its paragraphs.
 */
export const repack: Engine = {
  ...own,
  name: 'repack',
  argv: (job, args) => [command, job.input, job.output, args],
}
