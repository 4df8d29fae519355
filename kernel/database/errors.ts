/** Codes of mysql2, MariaDB and the system for a database that is temporarily unavailable. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'POOL_CLOSED',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_OUT_OF_RESOURCES',
  'ER_QUERY_INTERRUPTED',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_ERROR_ON_WRITE',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
])

/** MariaDB's error for a statement that took longer than the session allows. mysql2 has no code for it. */
const STATEMENT_TIMEOUT = 1969

/** MariaDB's error for a killed connection. mysql2 has no code for it. */
const KILLED = 1927

/** SQLite's codes for a full, broken or busy disk, with extended forms such as SQLITE_IOERR_WRITE. */
const SQLITE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|PROTOCOL|NOMEM)/

/**
 * Whether an error of the database is temporary: it cannot be reached or written to now. The statement may have
 * succeeded nevertheless, if its answer was lost.
 */
export function isUnavailable(error: unknown): boolean {
  const { code, errno, syscall, name, message } = (error ?? {}) as NodeJS.ErrnoException
  if (UNAVAILABLE.has(code) || errno === STATEMENT_TIMEOUT || errno === KILLED || SQLITE.test(String(code))) return true
  // While the server is down, the socket's file is missing.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return name === 'KnexTimeoutError' || /connection is in closed state|Connection lost/.test(String(message))
}

/** Whether a statement failed because a row with the same unique key exists. */
export function isDuplicate(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ER_DUP_ENTRY' || /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/.test(code ?? '')
}
