import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('reflow/write.ts', {
  modules: ['yazl', 'buffer-crc32'],
  folders: ['text', 'tables'],
})

/**
 * Makes a document that flows from the pages that `mutoolRead` described. The arguments are `FORMAT [FACTS]`: docx,
 * pptx, html, linked, marked or book, and what describes the document, as JSON. Pictures are beside the input. Or they
 * are `csv` or `tsv`, which writes a file `sheets-NAME` for each table, or `fods TARGET`, a spreadsheet that is to
 * become TARGET.
 */
export const reflow: Engine = {
  ...own,
  name: 'reflow',
  argv: (job, args) => [command, job.input, job.output, args],
}
