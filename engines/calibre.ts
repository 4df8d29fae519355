import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { pythonFolders } from './python/program.ts'

const worker = fileURLToPath(new URL('./programs/calibre/worker.py', import.meta.url))

/**
 * Converts books by the extensions of input and output; arguments are those of `ebook-convert`. A book without a title
 * takes the job's name. Its interpreter starts once with all that conversions need, and forks a child for each.
 */
export const calibre: Engine = {
  name: 'calibre',
  binary: ['calibre-debug'],
  version: ['--version'],
  package: 'calibre',
  argv: (job, args) => [job.scratch, job.input, job.output, job.name, args],
  progress: () => (line) => {
    const progress = /^\{"progress":([\d.]+)\}$/.exec(line)?.[1]
    return progress === undefined ? undefined : Number(progress)
  },
  sandbox: {
    binds: pythonFolders('calibre'),
    env: {
      QT_QPA_PLATFORM: 'offscreen',
      // The browser inside that prints pages cannot make a sandbox in this one.
      QTWEBENGINE_DISABLE_SANDBOX: '1',
    },
    // That browser reserves far more addresses than it uses; each other conversion bounds itself.
    addressSpace: 0,
    processes: 256,
  },
  warm: { argv: ['-e', worker], jobs: 50 },
}
