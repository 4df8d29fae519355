import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

/** V8 must not optimise this module: that takes longer than any picture and ten times the memory. */
const { command, ...node } = program('magick-wasm/decode.ts', {
  modules: ['@imagemagick/magick-wasm'],
  flags: ['--liftoff-only'],
})

/** ImageMagick 7 as WebAssembly, for what the system's own is too old to read. The argument is the coder. */
export const magickWasm: Engine = {
  ...node,
  name: 'magick-wasm',
  argv: (job, args) => [command, args, job.input, job.output],
}
