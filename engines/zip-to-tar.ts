import type { Engine } from '../kernel/contract.ts'
import { archive } from './archive.ts'
import { program } from './node/program.ts'

const { command, reason: _, ...worker } = program('archive/zip-to-tar.ts', { folders: ['text'], bundledWithout: [] })

/**
 * Repacks a zip of plain files as tar in one process, which is kept for its owner's next one. Refuses every other zip: that
 * is left to `archive`. Its only argument is a task as JSON, see `programs/archive/zip-to-tar.ts`.
 */
export const zipToTar: Engine = {
  ...worker,
  name: 'zip-to-tar',
  argv: (_job, args) => args,
  progress: archive.progress,
  warm: { argv: command, jobs: 100, memory: 12 * 1024 ** 2 },
}
