import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const { command: write, ...writer } = program('icons/write.ts', { modules: sharpModules })
const { command: read, ...reader } = program('icons/read.ts')

/** Writes a Windows icon or cursor or an Apple icon from one PNG. The argument is `ico`, `cur` or `icns`. */
export const icons: Engine = {
  ...writer,
  name: 'icons',
  argv: (job, args) => [write, args, job.input, job.output],
}

/**
 * Extracts the largest image from an Apple icon, also of types that icns2png does not know. The argument is `png` or
 * `jp2`.
 */
export const iconReader: Engine = {
  ...reader,
  name: 'icon-reader',
  argv: (job, args) => [read, args, job.input, job.output],
}
