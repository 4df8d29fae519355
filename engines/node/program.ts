import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../../kernel/contract.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Where the programs are kept as V8 compiled them, by `compile.ts`; sandboxes read it. */
export const compileCache = inRoot('node_modules/.cache/athanor-engines')

/** Environment in which a program is looked up there, wherever the checkout is mounted (node(1)). */
export const compileCacheEnvironment = { NODE_COMPILE_CACHE: compileCache, NODE_COMPILE_CACHE_PORTABLE: '1' }

/** Node's arguments for every program that `program` was asked for. */
export const commands: (readonly string[])[] = []

/**
 * The parts of an engine that is a program of ours under Node: where it is, and what its sandbox must show it.
 * V8 reserves far more address space than it uses, so that is not bounded.
 *
 * @param path the program, relative to `engines/programs/`
 * @param modules what it imports, and what that imports: folders of `node_modules`
 * @param flags Node's own arguments
 */
export function program(path: string, modules: readonly string[], flags: readonly string[] = []) {
  const file = inRoot(`engines/programs/${path}`)
  const command = [...flags, file]
  commands.push(command)
  return {
    binary: [process.execPath],
    version: ['--version'],
    command,
    sandbox: {
      env: compileCacheEnvironment,
      binds: [
        process.execPath,
        dirname(file),
        inRoot('engines/programs/refusal'),
        compileCache,
        inRoot('package.json'),
        ...modules.map((name) => inRoot(`node_modules/${name}`)),
      ],
      addressSpace: 0,
    },
  } satisfies Partial<Engine> & { command: readonly string[] }
}
