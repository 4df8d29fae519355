import { setTimeout as delay } from 'node:timers/promises'
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise'
import type { Logger } from 'pino'
import { StartError } from '../errors.ts'
import { cannotUse } from './database.ts'
import { serverOf } from './server.ts'

/** How long one attempt waits for the lock, in seconds: the server may not have noticed the end of the last holder yet. */
const PATIENCE = 3

/** How a start claims the database. */
export interface ClaimTerms {
  /** Attempts to get the lock. */
  attempts: number
  /** Says why a holder keeps the lock, and what would work. */
  remedy: string
}

/** For a service that keeps the database for itself. */
const ALONE: ClaimTerms = {
  attempts: 1,
  remedy: 'already uses this database. Stop it first, or set DATABASE_URL to another database.',
}

/** For a node among others, which holds the database only while it starts. */
export const UNTIL_STARTED: ClaimTerms = {
  attempts: 20,
  remedy:
    'has held this database for a minute: it runs without REDIS_URL, or changes the schema. Stop it, or wait for it.',
}

/** Milliseconds between two heartbeats, and between two attempts to reconnect. */
const INTERVAL = { alive: 20_000, again: 1000 }

/** Seconds without a heartbeat after which the server closes the connection and releases the lock. */
const SILENCE = 60

/** Time limit of one statement, in milliseconds. */
const ANSWER = 10_000

/** User locks belong to the server, not to a database, so the name contains the database. At most 64 characters. */
const LOCK = "concat('athanor:', md5(database()))"

/**
 * Claims a database on a MySQL or MariaDB server for one service. Each service keeps its files in its own folder, so two
 * services would break each other's conversions. The claim is a user lock of a connection that stays open. The server
 * releases it with the connection: at once if the process is killed, within 60 s if its machine is cut off.
 *
 * A broken connection is reopened. `lost` is called if another service has taken the lock meanwhile.
 *
 * @throws StartError if another service has the database, or it cannot be reached.
 */
export async function claimDatabase(
  url: string,
  log: Logger,
  lost: () => void,
  terms: ClaimTerms = ALONE,
): Promise<AsyncDisposable> {
  const released = new AbortController()
  let connection = await first(url, log, terms)
  const own = new Set([connection.threadId])
  const pause = (ms: number) => delay(ms, undefined, { signal: released.signal, ref: false }).catch(() => {})
  void guard()

  async function guard(): Promise<void> {
    while (!released.signal.aborted) {
      try {
        await pauseUnlessBroken(connection)
        if (!released.signal.aborted) await ask(connection, 'do 0')
      } catch (err) {
        log.warn({ err }, 'lost the connection that holds the lock of the database')
        connection.destroy()
        await claimAgain()
      }
    }
  }

  async function pauseUnlessBroken(connection: Connection): Promise<void> {
    const { promise: broken, resolve } = Promise.withResolvers<void>()
    connection.once('error', resolve)
    await Promise.race([pause(INTERVAL.alive), broken])
    connection.off('error', resolve)
  }

  async function claimAgain(): Promise<void> {
    while (!released.signal.aborted) {
      try {
        connection = await connect(url)
        own.add(connection.threadId)
        if (released.signal.aborted) return connection.destroy()
        if (await lock(connection)) return
        const who = await holderOf(connection)
        connection.destroy()
        // The server may still know the broken connection.
        if (who && !own.has(who.id)) {
          log.fatal('another service uses the database: this one stops')
          released.abort()
          return lost()
        }
      } catch {} // The server is away. The code that uses the database logs that.
      await pause(INTERVAL.again)
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      released.abort()
      // Not `end()`: a server that hangs would delay the shutdown of the service.
      connection.destroy()
    },
  }
}

/** Returns the connection that has the lock. @throws StartError. */
async function first(url: string, log: Logger, { attempts, remedy }: ClaimTerms): Promise<Connection> {
  const connection = await connect(url).catch((cause) => {
    throw cannotUse(cause, 'DATABASE_URL')
  })
  try {
    for (let attempt = 1; ; attempt++) {
      if (await lock(connection)) return connection
      const { host } = (await holderOf(connection)) ?? {}
      if (attempt >= attempts) {
        throw new StartError(`DATABASE_URL: another service${host ? ` (on ${host})` : ''} ${remedy}`)
      }
      log.info({ host }, 'waiting for the service that holds the database')
    }
  } catch (cause) {
    connection.destroy()
    throw cannotUse(cause, 'DATABASE_URL')
  }
}

async function connect(url: string): Promise<Connection> {
  const connection = await mysql.createConnection(serverOf(url))
  // Without a listener, a broken idle connection would end the process.
  connection.on('error', () => {})
  await ask(connection, `set session wait_timeout = ${SILENCE}`)
  return connection
}

const ask = async (connection: Connection, sql: string): Promise<RowDataPacket[]> => {
  const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout: ANSWER })
  return rows
}

async function lock(connection: Connection): Promise<boolean> {
  const [row] = await ask(connection, `select get_lock(${LOCK}, ${PATIENCE}) as held`)
  return row!.held === 1
}

/** Returns the connection that has the lock, and its host; undefined if it has ended meanwhile. */
async function holderOf(connection: Connection): Promise<{ id: number; host: string | undefined } | undefined> {
  const [lock] = await ask(connection, `select is_used_lock(${LOCK}) as id`)
  if (lock!.id === null) return undefined
  const id = Number(lock!.id)
  const [process] = await ask(connection, `select host from information_schema.processlist where id = ${id}`)
  // Without the client's port, which does not help people.
  return { id, host: process?.host?.replace(/:\d+$/, '') || undefined }
}
