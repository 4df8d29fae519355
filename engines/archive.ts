import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...parts } = program('archive/main.ts', {
  folders: ['text'],
  modules: ['b4a', 'events-universal', 'fast-fifo', 'pend', 'streamx', 'tar-stream', 'text-decoder', 'yauzl'],
})

/**
 * Repacks archives: pipes the entries from a reader through a guard into a writer. Its only argument is a spec as JSON,
 * see `programs/archive/spec.ts`. Paths in the spec are those inside the sandbox.
 */
export const archive: Engine = {
  ...parts,
  name: 'archive',
  argv: (_job, args) => [command, args],
  progress: () => (line) => {
    const fraction = /^\{"progress":(0(?:\.\d+)?)\}$/.exec(line)?.[1]
    return fraction === undefined ? undefined : Number(fraction)
  },
}
