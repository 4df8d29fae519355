import type { Engine } from '../kernel/contract.ts'

/** 7-Zip. Unpacks into a folder, which is its output; it never leaves it, and never asks for a password. */
export const sevenZip: Engine = {
  name: '7zip',
  binary: ['7zz'],
  version: ['i'],
  package: '7zip',
  argv: (job, args) => ['x', '-y', '-bd', '-bso0', '-bsp0', '-pnone', args, `-o${job.output}`, '--', job.input],
}
