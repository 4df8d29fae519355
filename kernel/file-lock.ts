import SQLite from 'better-sqlite3'

/** The right to be the only process that holds a file. It ends with the process, even if the process is killed. */
export interface FileLock {
  release(): void
}

/**
 * Takes the lock of a file, which is made if it is missing: SQLite's exclusive lock on an empty database. It works
 * across containers and mount namespaces, and on network file systems that have locks.
 *
 * No other code may open the file: closing any of its descriptors drops the lock (fcntl(2)).
 *
 * @param timeout Milliseconds to wait for another process. @returns Undefined if another process holds it.
 * @throws if the file cannot be written.
 */
export function lockFile(path: string, timeout: number): FileLock | undefined {
  const lock = new SQLite(path, { timeout })
  try {
    // The database is never written, so it needs no journal file.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return {
    release() {
      lock.close()
    },
  }
}
