import type { Args, Engine } from '../kernel/contract.ts'

/**
 * 7-Zip. Unpacks into a folder, its output, and never asks for a password. It creates all links, wherever they lead,
 * because its own check also rejects harmless ones. Readers of the folder must not follow links.
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

/** Command line that prints facts about each member, its name after `Path = `. */
export const sevenZipList = (input: string): Args => ['l', '-ba', '-slt', '-pnone', '--', input]
