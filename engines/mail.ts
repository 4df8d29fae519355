import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const folder = fileURLToPath(new URL('programs/mail', import.meta.url))
// Isolated from the environment, and without writing what it compiled.
const program = ['-E', '-s', '-B', `${folder}/page.py`]

/** Makes a page of one mail, with its pictures inside and its attachments by name; with `--bare` it says nothing of itself beside the text. */
export const mail: Engine = {
  name: 'mail',
  binary: ['/usr/bin/python3'],
  version: [...program, '--version'],
  package: 'python3-olefile',
  argv: (job, args) => [program, args, job.input, job.output],
  reason: (lines) =>
    lines.at(-1) === 'locked' ? { code: 'ENCRYPTED_INPUT', message: 'The mail is encrypted' } : undefined,
  sandbox: { binds: [folder] },
}
