import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const { command, ...own } = program('reflow/write.ts', {
  modules: sharpModules,
  folders: ['text'],
})

/**
 * Makes flowing HTML from the XML of pdftohtml(1), which describes fixed pages. Prints the numbers of pages without text
 * and images. Such a page is replaced by a picture of it, if there is one beside the input.
 */
export const reflow: Engine = {
  ...own,
  name: 'reflow',
  argv: (job, args) => [command, job.input, job.output, args],
}
