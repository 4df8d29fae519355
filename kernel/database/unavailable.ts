/** Codes of mysql2, MariaDB and the system for a database that is temporarily unavailable. */
const CODES: ReadonlySet<unknown> = new Set([
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', 'PROTOCOL_ENQUEUE_AFTER_QUIT', 'POOL_CLOSED'],
  ...['PROTOCOL_SEQUENCE_TIMEOUT', 'ER_LOCK_WAIT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'EMFILE', 'ENFILE', 'ER_SERVER_SHUTDOWN', 'ER_CON_COUNT_ERROR', 'ER_OUT_OF_RESOURCES'],
  ...[
    'ER_QUERY_INTERRUPTED',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_DISK_FULL',
    'ER_RECORD_FILE_FULL',
    'ER_ERROR_ON_WRITE',
  ],
])

/** MariaDB's errors for a statement that took longer than the session allows, and for a killed connection. mysql2 has no codes. */
const [STATEMENT_TIMEOUT, KILLED] = [1969, 1927]

/** SQLite's codes for a full, broken or busy disk, with extended forms such as SQLITE_IOERR_WRITE. */
const SQLITE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|PROTOCOL|NOMEM)/

/**
 * Whether an error of the database is temporary: it cannot be reached or written to now.
 */
export function isUnavailable(error: unknown): boolean {
  const { code, errno, syscall, name, message } = (error ?? {}) as NodeJS.ErrnoException
  if (CODES.has(code) || errno === STATEMENT_TIMEOUT || errno === KILLED || SQLITE.test(String(code))) return true
  // While the server is down, the socket's file is missing.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return name === 'KnexTimeoutError' || /connection is in closed state|Connection lost/.test(String(message))
}

/**
 * Codes for a connection that broke, or was given up, after a statement was sent; and for one that the server ended. MariaDB
 * can end a compound statement after its commit.
 */
const LOST: ReadonlySet<unknown> = new Set([
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT'],
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ER_SERVER_SHUTDOWN', 'ER_QUERY_INTERRUPTED'],
])

/** Whether a statement that failed with this error may have succeeded, or may still do so: its answer was lost. */
export function mayHaveRun(error: unknown): boolean {
  const { code, errno, syscall } = (error ?? {}) as NodeJS.ErrnoException
  return (LOST.has(code) && syscall !== 'connect') || errno === STATEMENT_TIMEOUT || errno === KILLED
}

/** Whether the caller has already waited for a server that hangs. */
export function hasHung(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'PROTOCOL_SEQUENCE_TIMEOUT' || errno === STATEMENT_TIMEOUT
}
