import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine, Step } from '../kernel/contract.ts'
import { sharpModules } from './node/program.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const program = inRoot('engines/programs/sharp/start.mjs')
const modules = [...sharpModules, 'yazl', 'buffer-crc32', '.cache/athanor-sharp']

/**
 * sharp (libvips) in its own Node process. The argument is a spec as JSON, see `programs/sharp/spec.ts`. The spec names
 * all files by their paths inside the sandbox, so the frame adds no input and output.
 */
export const sharp: Engine = {
  name: 'sharp',
  binary: [process.execPath],
  version: [program, '--version'],
  argv: (_job, args) => args,
  progress: () => (line) => {
    const progress = /^\{"progress":([\d.]+)\}$/.exec(line)?.[1]
    return progress === undefined ? undefined : Number(progress)
  },
  sandbox: {
    binds: [
      dirname(process.execPath),
      inRoot('engines/programs/sharp'),
      inRoot('engines/programs/refusal'),
      inRoot('engines/programs/svg'),
      inRoot('package.json'),
      ...modules.map((name) => inRoot(`node_modules/${name}`)),
    ],
    // Node reserves far more address space than it uses. The memory limit of the conversion applies anyway.
    addressSpace: 0,
  },
  warm: { argv: [program], jobs: 100 },
}

/** Puts the files of several pages into one zip: the last step of routes that make one file per page. */
export const zipOfPages: Step = {
  engine: sharp,
  when: { pages: 'several' },
  args: (job, { inputs }) => [JSON.stringify({ task: 'zip', files: inputs, name: job.name, output: job.pages })],
}
