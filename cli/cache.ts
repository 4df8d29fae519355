import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the folder for what can be found again: `athanor` in `XDG_CACHE_HOME`, by default `~/.cache`. Creates it. */
export async function cacheFolder(): Promise<string> {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'athanor')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  return folder
}
