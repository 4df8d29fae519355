import type { Engine, Step } from '../kernel/contract.ts'
import { outlines } from './fonts/outlines.ts'
import { program, sharpModules } from './node/program.ts'

const {
  command,
  reason: _,
  ...worker
} = program('sharp/worker.ts', {
  modules: [...sharpModules, 'yazl', 'buffer-crc32'],
  folders: ['svg'],
  files: ['kernel/kit.ts'],
  bundledWithout: ['@img/sharp-*'],
})

/**
 * sharp (libvips) in its own Node process. The argument is a spec as JSON, see `programs/sharp/spec.ts`. The spec names
 * all files by their paths inside the sandbox, so the frame adds no input and output.
 */
export const sharp: Engine = {
  ...worker,
  name: 'sharp',
  version: [...command, '--version'],
  argv: (_job, args) => args,
  sandbox: {
    ...worker.sandbox,
    binds: [...worker.sandbox.binds, ...outlines.binds],
    env: { ...worker.sandbox.env, ...outlines.env },
  },
  progress: () => (line) => {
    const progress = /^\{"progress":([\d.]+)\}$/.exec(line)?.[1]
    return progress === undefined ? undefined : Number(progress)
  },
  warm: { argv: command, jobs: 100, memory: 16 * 1024 ** 2 },
}

/** Puts the files of several pages into one zip: the last step of routes that make one file per page. */
export const zipOfPages: Step = {
  engine: sharp,
  when: { pages: 'several' },
  args: (job, { inputs }) => [JSON.stringify({ task: 'zip', files: inputs, name: job.name, output: job.pages })],
}
