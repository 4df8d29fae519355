import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const folder = fileURLToPath(new URL('programs/hwp', import.meta.url))
// Isolated from the environment, and without writing what it compiled.
const program = ['-E', '-s', '-B', `${folder}/page.py`]

/** Makes a page of the text and the tables of a Hangul document of version 5: `page.py INPUT OUTPUT`. */
export const hwp: Engine = {
  name: 'hwp',
  binary: ['/usr/bin/python3'],
  version: [...program, '--version'],
  package: 'python3-olefile',
  argv: (job, args) => [program, args, job.input, job.output],
  reason: (lines) =>
    lines.at(-1) === 'locked' ? { code: 'ENCRYPTED_INPUT', message: 'The document asks for a password' } : undefined,
  sandbox: { binds: [folder] },
}
