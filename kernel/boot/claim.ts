import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { type FileLock, lockFile } from '../file-lock.ts'

/**
 * The right to be the only service that uses a data folder. It ends with the process, even if the process is killed.
 */
export interface Claim {
  release(): void
}

/** How long a start waits for the folder, in milliseconds. An administrator's command may hold it for a moment. */
const LOCK_TIMEOUT_MS = 500

const holderIn = (dataDir: string) => join(dataDir, 'service.pid')

/**
 * Claims a data folder, which must exist.
 *
 * @param shown The folder's path for messages.
 * @throws StartError when another process has it, or the folder cannot be written.
 */
export function claimFolder(dataDir: string, shown = dataDir): Claim {
  const lock = lockIn(dataDir, shown)
  if (!lock) {
    throw new StartError(
      `DATA_DIR: ${holder(dataDir)} already uses ${shown}. Stop it first, or set DATA_DIR to another folder.`,
    )
  }
  const note = holderIn(dataDir)
  try {
    writeFileSync(note, `${process.pid} ${hostname()}\n`, { mode: 0o600 })
  } catch {} // The claim also holds on a full disk. Only the message of a second start lacks the holder's name.
  return {
    release() {
      rmSync(note, { force: true })
      lock.release()
    },
  }
}

function lockIn(dataDir: string, shown: string): FileLock | undefined {
  try {
    return lockFile(join(dataDir, 'service.lock'), LOCK_TIMEOUT_MS)
  } catch (cause) {
    throw unwritable(shown, cause)
  }
}

/** Names the process that uses the folder, and its host if that is another one, such as a container. */
function holder(dataDir: string): string {
  let note = ''
  try {
    note = readFileSync(holderIn(dataDir), 'utf8')
  } catch {}
  const [, pid, host] = /^(\d+) (\S+)\n$/.exec(note) ?? []
  if (!pid) return 'another process'
  return host === hostname() ? `process ${pid}` : `process ${pid} on host ${host}`
}

/** Returns the error for a data folder that is not writable. */
export function unwritable(shown: string, cause: unknown): StartError {
  const user = process.getuid ? ` by user ${process.getuid()}` : ''
  return new StartError(
    `DATA_DIR: ${shown} is not writable${user}. Make it writable for that user, or set DATA_DIR to another folder.`,
    { cause },
  )
}
