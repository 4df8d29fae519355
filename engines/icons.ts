import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const { command: write, ...writer } = program('icons/write.ts', { modules: sharpModules })
const { command: read, ...reader } = program('icons/read.ts')

/** Writes Windows icons and cursors and Apple icons out of one PNG. The argument is `ico`, `cur` or `icns`. */
export const icons: Engine = {
  ...writer,
  name: 'icons',
  argv: (job, args) => [write, args, job.input, job.output],
}

/** Takes the largest picture out of an Apple icon, of types that icns2png does not know, too. The argument is `png` or `jp2`. */
export const iconReader: Engine = {
  ...reader,
  name: 'icon-reader',
  argv: (job, args) => [read, args, job.input, job.output],
}
