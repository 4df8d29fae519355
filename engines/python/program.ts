import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../../kernel/contract.ts'
import { refusalIn } from '../node/refusal.ts'

const programs = fileURLToPath(new URL('../programs', import.meta.url))

/** Where a Python program finds its modules: it lists the folder in which the shared ones lie beside its own. */
export const pythonModules = [programs]

/**
 * The parts of an engine that runs one of our own programs in Python: its command, its sandbox, and how its output is
 * read. The interpreter ignores the environment and the user's packages, and writes no compiled files.
 *
 * @param folder the program's own, in `engines/programs/`
 * @param name the program in that folder
 * @param options `alone`: whether it imports nothing but Python's own modules: it then starts in a quarter of the time
 */
export function pythonProgram(folder: string, name: string, { alone = false } = {}) {
  const command = [...(alone ? ['-S'] : []), '-E', '-s', '-B', join(programs, folder, name)]
  return {
    binary: ['/usr/bin/python3'],
    command,
    reason: refusalIn,
    sandbox: { binds: pythonModules },
  } satisfies Partial<Engine> & { command: readonly string[] }
}

/**
 * Arguments that print Python's version, or end like a program that does not start if one of the modules is missing.
 *
 * @param modules names of Python modules that the program imports
 */
export function versionWith(...modules: string[]): string[] {
  const lines = [
    'try:',
    `    import platform, ${modules.join(', ')}`,
    '    print(platform.python_version())',
    'except ImportError:',
    '    raise SystemExit(127)',
  ]
  return ['-E', '-s', '-c', lines.join('\n')]
}
