import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const modules = ['saxes', 'xmlchars', 'yaml', 'yazl', 'buffer-crc32']
const { command, ...own } = program('tables/convert.ts', { modules, folders: ['text'] })

/**
 * Converts tables and records. The arguments are `FROM TO NAME`: csv, tsv, json, yaml or xml; TO can be html, and FROM
 * `sheets`, a flat OpenDocument spreadsheet. `sheets html --comments` makes notes of the comments in cells.
 * `FROM fods NAME TARGET` makes such a spreadsheet, with the type of every cell, that is to become TARGET. `sheets csv
 * FOLDER PAGES NAME` is for all csv files of a folder (or tsv); several become a zip at PAGES. NAME is that of a page
 * or sheet without its own.
 */
export const tables: Engine = {
  ...own,
  name: 'tables',
  argv: (job, args) => [command, job.input, job.output, args],
}
