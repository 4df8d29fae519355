import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine, Step } from '../kernel/contract.ts'
import { sharpModules } from './node/program.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const program = inRoot('engines/programs/sharp/start.mjs')
const modules = [...sharpModules, 'yazl', 'buffer-crc32', '.cache/athanor-sharp']

/**
 * sharp, which is libvips, in a Node process of its own. It takes one argument: a spec as JSON, see `programs/sharp/spec.ts`.
 * The places that a spec names are the sandbox's own, so the job's input and output are not added to it.
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
      inRoot('package.json'),
      ...modules.map((name) => inRoot(`node_modules/${name}`)),
    ],
    // Node reserves far more addresses than it uses; the memory limit of the conversion is what counts.
    addressSpace: 0,
  },
  warm: { argv: [program], jobs: 100 },
}

/** Puts the files of several pages into one zip. The last step of routes that make a file of each page. */
export const zipOfPages: Step = {
  engine: sharp,
  when: { pages: 'several' },
  args: (job, { inputs }) => [JSON.stringify({ task: 'zip', files: inputs, name: job.name, output: job.pages })],
}
