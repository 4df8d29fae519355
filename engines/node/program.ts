import { dirname, join } from 'node:path'
import type { Engine } from '../../kernel/contract.ts'
import { bundled, root } from './bundled.ts'
import { refusalIn } from './refusal.ts'

const inRoot = (path: string) => join(root, path)

/** Folder with the programs as V8 compiled them. `compile.ts` fills it; sandboxes read it. */
export const compileCache = inRoot('node_modules/.cache/athanor-engines')

/** Makes Node use that folder, at whatever path the checkout is mounted (node(1)). */
export const compileCacheEnvironment = { NODE_COMPILE_CACHE: compileCache, NODE_COMPILE_CACHE_PORTABLE: '1' }

/**
 * Makes glibc return what a job has freed (mallopt(3)). Otherwise it raises the limit from which it asks the system for
 * memory of its own with each large block that is freed, and each thread has an arena that keeps its blocks.
 */
const returnsMemory = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Node's arguments for every program that `program` has declared. */
export const commands: (readonly string[])[] = []

/** sharp and its dependencies. */
export const sharpModules = ['sharp', '@img', 'detect-libc', 'semver'] as const

/** What a program needs besides its own folder. */
interface Needs {
  /** Packages that it imports, and their dependencies: folders of `node_modules`. */
  modules?: readonly string[]
  /** Other folders of `engines/programs/` that it imports. */
  folders?: readonly string[]
  /** Other files of the checkout that it imports. */
  files?: readonly string[]
  /**
   * Set-up puts the program and its modules into one file, except the modules that these patterns name. For a program
   * of which many jobs need a process of their own.
   */
  bundledWithout?: readonly string[]
  /** Node's own arguments. */
  flags?: readonly string[]
}

/**
 * The parts of an engine that runs one of our own programs in Node: its command, its sandbox, and how its output is
 * read. Address space is not limited, because V8 reserves far more than it uses.
 *
 * @param path the program, relative to `engines/programs/`
 */
export function program(
  path: string,
  { modules = [], folders = [], files = [], bundledWithout, flags = [] }: Needs = {},
) {
  const file = inRoot(`engines/programs/${path}`)
  const bundle = bundledWithout && bundled(file, bundledWithout, compileCache)
  const command = [...flags, bundle ?? file]
  commands.push(command)
  return {
    binary: [process.execPath],
    version: ['--version'],
    command,
    reason: refusalIn,
    sandbox: {
      env: { ...compileCacheEnvironment, ...returnsMemory },
      binds: [
        process.execPath,
        dirname(file),
        ...['refusal', ...folders].map((name) => inRoot(`engines/programs/${name}`)),
        compileCache,
        ...['package.json', ...files].map(inRoot),
        ...modules.map((name) => inRoot(`node_modules/${name}`)),
      ],
      addressSpace: 0,
    },
  } satisfies Partial<Engine> & { command: readonly string[] }
}
