import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('heif', 'tone.py', { alone: true })

/**
 * Gives a PNG of high dynamic range a profile that tone maps it. The arguments are the numbers of its transfer function
 * and of its primaries (ITU-T H.273). Without arguments, those of the PNG count.
 */
export const tone: Engine = {
  ...own,
  name: 'tone',
  package: 'python3',
  version: ['--version'],
  argv: (job, args) => [command, args, job.input, job.output],
}
