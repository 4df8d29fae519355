import { sum, type Usage } from './processes.ts'

/** Longest time in milliseconds without a complete look at an idle tree. */
const REST = 2000

type Tree = ReadonlyMap<number, Usage>

/**
 * Remembers what the process table showed of idle trees at their last complete look. One that has used no CPU time
 * since then can have changed little: the kernel tells whole ticks of 10 ms. With many owners, dozens of processes
 * wait, and complete looks would take a fifth of a core.
 */
export function createRests() {
  const looks = new WeakMap<object, { state: string; since: number }>()
  const stateOf = (tree: Tree) => `${tree.size} ${sum(tree, 'cpu')} ${sum(tree, 'memory')}`
  return {
    /** Whether no complete look at the tree of `watched` is due. */
    has(watched: object, tree: Tree): boolean {
      const look = looks.get(watched)
      return look?.state === stateOf(tree) && performance.now() - look.since < REST
    },
    /** Notes a complete look that begins now. */
    note: (watched: object, tree: Tree) => void looks.set(watched, { state: stateOf(tree), since: performance.now() }),
    /** The next look must be complete. */
    forget: (watched: object) => void looks.delete(watched),
  }
}
