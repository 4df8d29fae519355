import { mkdir, mkdtemp } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'

/** Returns the folder for what can be found again: `athanor` in `XDG_CACHE_HOME`, by default `~/.cache`. Creates it. */
export async function cacheFolder(): Promise<string> {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'athanor')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  return folder
}

/**
 * Creates a folder for a while. The caller removes it. Not in /tmp, which may be in memory: uploads and results can be
 * large. @throws StartError if it cannot be created.
 */
export async function temporaryFolder(): Promise<string> {
  const parent = process.env.TMPDIR || '/var/tmp'
  return mkdtemp(join(parent, 'athanor-')).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`TMPDIR: ${parent} cannot be written (${error.code}).`, { cause: error })
  })
}
