import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const { command, ...own } = program('reflow/write.ts', {
  modules: sharpModules,
  folders: ['text'],
})

/**
 * Makes a page that flows out of what pdftohtml(1) says as XML about pages that do not. Prints the numbers of pages on
 * which there is nothing; pictures of them beside the input stand for them.
 */
export const reflow: Engine = {
  ...own,
  name: 'reflow',
  argv: (job, args) => [command, job.input, job.output, args],
}
