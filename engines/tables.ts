import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const modules = ['yaml', 'yazl', 'buffer-crc32']
const { command, ...own } = program('tables/convert.ts', { modules, folders: ['text'] })

/**
 * Converts tables and records. The arguments are `FROM TO`: csv, tsv, json, yaml or xml, and TO can be html. Or they are
 * `sheets TO FOLDER PAGES NAME`, for all csv files of a folder; several results become a zip at PAGES.
 */
export const tables: Engine = {
  ...own,
  name: 'tables',
  argv: (job, args) => [command, job.input, job.output, args],
}
