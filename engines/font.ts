import type { Engine } from '../kernel/contract.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('font', 'convert.py')

/** Rewrites a font with FontTools. The argument is the target: ttf, otf, woff or woff2. */
export const fontTools: Engine = {
  ...own,
  name: 'fonttools',
  version: versionWith('brotli', 'fontTools.ttLib'),
  package: 'python3-fonttools',
  argv: (job, args) => [command, job.input, job.output, args],
}
