import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { pythonModules } from './python/program.ts'

const worker = fileURLToPath(new URL('./programs/calibre/worker.py', import.meta.url))

/**
 * Converts ebooks. File extensions name the formats; the arguments are those of `ebook-convert`. A book without a title
 * gets the job's name. The interpreter starts once, loads what conversions need, and forks a child for each job.
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
    binds: pythonModules,
    env: {
      QT_QPA_PLATFORM: 'offscreen',
      // The embedded browser prints pages. It cannot create its own sandbox inside this one.
      QTWEBENGINE_DISABLE_SANDBOX: '1',
    },
    // The browser reserves far more address space than it uses. Conversions without it limit themselves.
    addressSpace: 0,
    processes: 256,
    // The browser's processes pass each other open files.
    unixSockets: true,
  },
  warm: { argv: ['-e', worker], jobs: 50, memory: 60 * 1024 ** 2 },
}
