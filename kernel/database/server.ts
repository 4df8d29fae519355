import { connect, type Socket } from 'node:net'
import type { Knex } from 'knex'
import type { Connection, ConnectionOptions } from 'mysql2'

/** SQL: the time of the database server in epoch milliseconds. Nodes may have different clocks. Not for SQLite. */
export const NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000"

/** SQL: the time in epoch milliseconds, on any database. With SQLite there is one node, and so one clock. */
export const now = ({ client }: Knex) => (client.config.client === 'better-sqlite3' ? String(Date.now()) : NOW)

/** SQL as a value of an insert or an update. */
export const raw = (database: Knex, sql: string) => database.raw(sql) as never

/** Milliseconds that a server may take to answer. */
export const ANSWER_TIMEOUT_MS = 10_000

/** The part of the client's timeout after which the server gives up. */
const SERVER_SHARE = 0.8

/** Seconds without a statement after which the server closes a connection: its machine may be cut off. */
const SILENCE_S = 60

/** Returns how to connect to the server of a `mysql://` URL. `socketPath` in the query is a Unix socket. */
export function serverOf(url: string): ConnectionOptions {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socketPath = searchParams.get('socketPath')
  return {
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    // Return sizes above 2^31 as numbers, as SQLite does.
    supportBigNumbers: true,
    connectTimeout: 5000,
  }
}

/**
 * Returns how knex uses a server.
 *
 * @param timeout Milliseconds that the server may take to answer, from 2000 on; undefined: no limit.
 */
export function onServer(url: string, timeout?: number): Knex.Config {
  const options = serverOf(url)
  return {
    client: 'mysql2',
    connection: {
      ...options,
      ...(timeout !== undefined && {
        connectTimeout: Math.min(timeout, options.connectTimeout ?? timeout),
        stream: () => openSocket(options, timeout),
      }),
    } as Knex.MySql2ConnectionConfig,
    ...(timeout !== undefined && { acquireConnectionTimeout: timeout }),
    compileSqlOnError: false,
    // By default it prints to stdout, also errors that it throws.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    pool: {
      min: 0,
      max: 8,
      afterCreate(connection: Connection & { stream: Socket }, done: (error: unknown, made: unknown) => void) {
        // knex does not listen to one that it has given up, and that may wait for a server that hangs.
        connection.stream.prependListener('error', () => connection.once('error', () => {}))
        connection.query(`SET ${sessionSettings(timeout)}`, (error) => {
          if (error) return done(error, connection)
          connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', (error) => done(error, connection))
        })
      },
    },
  }
}

/**
 * Opens a connection that is closed if the server does not answer in time, because the answer could still arrive on it.
 * Its statement fails with ETIMEDOUT.
 */
function openSocket({ socketPath, host, port }: ConnectionOptions, timeout: number): Socket {
  const place = socketPath ? { path: socketPath } : { host, port: port ?? 3306 }
  const socket = connect({ noDelay: true, keepAlive: true, timeout, ...place })
  let answered = 0
  socket.on('data', () => {
    answered = socket.bytesWritten
  })
  socket.on('timeout', () => {
    // Otherwise it is idle.
    if (socket.bytesWritten === answered) return
    const message = `the database did not answer within ${timeout / 1000} s`
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
  })
  return socket
}

/**
 * Returns settings with which the server gives up a statement that waits for locks before the client does. A server
 * does not notice that the client is gone while it waits, and would run and commit the statement afterwards. A
 * transaction whose client sends nothing more, such as one on a machine that lost its power, is given up as soon.
 *
 * MariaDB limits the whole statement; MySQL, which does not read the comment, limits only the wait for each lock.
 */
function sessionSettings(timeout: number | undefined): string {
  const mode = "SESSION sql_mode = 'STRICT_ALL_TABLES'"
  if (timeout === undefined) return mode
  // The limits of locks are whole seconds.
  const seconds = Math.floor((timeout * SERVER_SHARE) / 1000)
  const limit = (name: string, value = seconds) => `, SESSION ${name} = ${value}`
  const ofMariaDb = `/*M! ${limit('max_statement_time')} ${limit('idle_transaction_timeout')} */`
  const locks = `${limit('innodb_lock_wait_timeout')} ${limit('lock_wait_timeout')}`
  return `${mode} ${limit('wait_timeout', SILENCE_S)} ${locks} ${ofMariaDb}`
}
