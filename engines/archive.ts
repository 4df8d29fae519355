import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...parts } = program('archive/repack.ts', { folders: ['text'] })

/**
 * Packs archives anew: pipes a reader's entries through a guard into a writer. It takes one argument: a spec as JSON,
 * see `programs/archive/spec.ts`, in which the places are the sandbox's own.
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
