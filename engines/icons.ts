import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('icons/write.ts')

/** Writes Windows icons and cursors and Apple icons out of one PNG. The argument is `ico`, `cur` or `icns`. */
export const icons: Engine = {
  ...node,
  name: 'icons',
  argv: (job, args) => [command, args, job.input, job.output],
}
