import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../../kernel/contract.ts'

const root = new URL('../../', import.meta.url)

/**
 * The parts of an engine that is a program of ours under Node: where it is, and what its sandbox must show it.
 * V8 reserves far more address space than it uses, so that is not bounded.
 *
 * @param path the program, relative to `engines/`
 * @param flags Node's own arguments
 */
export function program(path: string, flags: readonly string[] = []) {
  const file = fileURLToPath(new URL(`engines/${path}`, root))
  return {
    binary: [process.execPath],
    version: ['--version'],
    command: ['--disable-warning=ExperimentalWarning', ...flags, file],
    sandbox: {
      binds: [
        process.execPath,
        dirname(file),
        fileURLToPath(new URL('package.json', root)),
        fileURLToPath(new URL('node_modules', root)),
      ],
      addressSpace: 0,
    },
  } satisfies Partial<Engine> & { command: readonly string[] }
}
