import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const program = fileURLToPath(new URL('./programs/epub/pack.py', import.meta.url))

/** Packs an EPUB anew, as small as it gets without changing what it shows; with `--check` it only refuses locked ones. */
export const epub: Engine = {
  name: 'epub-packer',
  binary: ['python3'],
  version: ['--version'],
  package: 'python3',
  argv: (job, args) => ['-I', program, args, job.input, job.output],
  reason: (lines) => {
    const said = lines.at(-1) ?? ''
    if (said === 'locked') return { code: 'ENCRYPTED_INPUT', message: 'The book is protected by DRM or a password' }
    if (said === 'large') return { code: 'RESOURCE_LIMIT', message: 'The book unpacks to more than 1 GB' }
    return undefined
  },
  sandbox: { binds: [dirname(program)] },
}
