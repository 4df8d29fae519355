import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const modules = ['yaml', 'yazl', 'buffer-crc32']
const { command, ...own } = program('tables/convert.ts', { modules, folders: ['text'] })

/**
 * Turns rows and records into one another: `FROM TO`, where both are csv, tsv, json, yaml or xml, and TO may be html; or, with FROM
 * `sheets`, `sheets TO FOLDER PAGES NAME` for all the csv files of a folder, of which several become a zip at PAGES.
 */
export const tables: Engine = {
  ...own,
  name: 'tables',
  argv: (job, args) => [command, job.input, job.output, args],
}
