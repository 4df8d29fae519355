import type { Engine } from '../kernel/contract.ts'

/**
 * 7-Zip. Unpacks into a folder, which is its output, and never asks for a password. It makes links wherever they lead,
 * since it takes some that stay inside for dangerous: whoever reads the folder must not follow them.
 */
export const sevenZip: Engine = {
  name: '7zip',
  binary: ['7zz'],
  version: ['i'],
  package: '7zip',
  argv: (job, args) => [
    'x',
    '-y',
    '-bd',
    '-bso0',
    '-bsp0',
    '-pnone',
    '-sns-',
    '-snld20',
    args,
    `-o${job.output}`,
    '--',
    job.input,
  ],
}
