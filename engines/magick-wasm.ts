import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

/** V8 must not optimise this module: it takes longer than any conversion, and 10 times the memory. */
const { command, ...node } = program('magick-wasm/decode.ts', {
  modules: ['@imagemagick/magick-wasm'],
  flags: ['--liftoff-only'],
})

/** ImageMagick 7 as WebAssembly, for formats that the system's older version cannot read. The argument is the coder. */
export const magickWasm: Engine = {
  ...node,
  name: 'magick-wasm',
  argv: (job, args) => [command, args, job.input, job.output],
}
