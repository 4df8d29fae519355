import type { Sandboxes } from './sandbox.ts'

/** For a node that converts nothing: it has no sandbox, and needs no user namespaces. */
export const noSandboxes: Sandboxes = {
  open: unreachable,
  ask: unreachable,
  warm() {},
  counts: () => [],
  async close() {},
}

async function unreachable(): Promise<never> {
  throw new Error('this node converts nothing')
}
