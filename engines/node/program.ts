import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../../kernel/contract.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/**
 * The parts of an engine that is a program of ours under Node: where it is, and what its sandbox must show it.
 * V8 reserves far more address space than it uses, so that is not bounded.
 *
 * @param path the program, relative to `engines/`
 * @param modules what it imports, and what that imports: folders of `node_modules`
 * @param flags Node's own arguments
 */
export function program(path: string, modules: readonly string[], flags: readonly string[] = []) {
  const file = inRoot(`engines/${path}`)
  return {
    binary: [process.execPath],
    version: ['--version'],
    command: [...flags, file],
    sandbox: {
      binds: [
        process.execPath,
        dirname(file),
        inRoot('package.json'),
        ...modules.map((name) => inRoot(`node_modules/${name}`)),
      ],
      addressSpace: 0,
    },
  } satisfies Partial<Engine> & { command: readonly string[] }
}
