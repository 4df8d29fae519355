import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('plain/write.ts', { folders: ['text'] })

/**
 * Writes a text, a page or XML anew in UTF-8, whatever character set it was in; what it says of that is put right.
 * `--unnamed` puts characters in the place of names of them that only HTML knows.
 */
export const plain: Engine = {
  ...own,
  name: 'plain',
  argv: (job, args) => [command, job.input, job.output, args],
}
