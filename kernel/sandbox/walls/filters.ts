import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Profile } from '../../contract.ts'
import { seccompProgram } from './seccomp.ts'
import type { EngineUser } from './user.ts'

/** Returns the path of the system call filter for a program. */
export type Filters = (profile: Profile) => string

/**
 * Creates `folder` and writes the system call filters into it. Throws StartError on an unsupported architecture.
 *
 * @param grouped see `seccompProgram`
 */
export async function writeFilters(folder: string, user: EngineUser | undefined, grouped = false): Promise<Filters> {
  await mkdir(folder, { recursive: true })
  await giveTo(folder, 0o710, user)
  const strict = join(folder, 'strict.bpf')
  const unix = join(folder, 'unix.bpf')
  await writeForEngines(strict, seccompProgram('strict', process.arch, grouped), user)
  await writeForEngines(unix, seccompProgram('unix', process.arch, grouped), user)
  return ({ unixSockets }) => (unixSockets ? unix : strict)
}

/** Writes a file that the engines' user can read, and nobody else, whatever the service's umask is. */
export async function writeForEngines(
  path: string,
  content: string | Buffer,
  user: EngineUser | undefined,
): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  await giveTo(path, 0o640, user)
}

async function giveTo(path: string, mode: number, user: EngineUser | undefined): Promise<void> {
  if (user) await chown(path, 0, user.gid)
  await chmod(path, mode)
}
