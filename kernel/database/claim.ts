import { setTimeout as delay } from 'node:timers/promises'
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise'
import type { Logger } from 'pino'
import { StartError } from '../errors.ts'
import { cannotUse } from './database.ts'
import { serverOf } from './server.ts'

/** Seconds that a start waits for the lock: the server may not have noticed yet that the last holder has ended. */
const PATIENCE = 3

/** Milliseconds between two signs of life, and between two tries to connect again. */
const INTERVAL = { alive: 20_000, again: 1000 }

/** Seconds without a sign of life after which the server drops the connection, and the lock with it. */
const SILENCE = 60

/** Milliseconds that one statement waits for its answer. */
const ANSWER = 10_000

/** User locks are the server's, not the database's: the name tells databases apart, in at most 64 characters. */
const LOCK = "concat('athanor:', md5(database()))"

/**
 * Claims a database on a MySQL or MariaDB server, for one service: each keeps its files in a folder of its own, so two
 * would break each other's conversions. The claim is a user lock of a connection that stays open. The server drops it
 * with the connection: at once when the process is killed, within 60 s when its machine is cut off.
 *
 * A connection that breaks is made again. `lost` is called when another service has taken the lock in between.
 *
 * @throws StartError when another service has the database, or it cannot be reached.
 */
export async function claimDatabase(url: string, log: Logger, lost: () => void): Promise<AsyncDisposable> {
  const released = new AbortController()
  let connection = await first(url)
  const own = new Set([connection.threadId])
  const pause = (ms: number) => delay(ms, undefined, { signal: released.signal, ref: false }).catch(() => {})
  void guard()

  async function guard(): Promise<void> {
    while (!released.signal.aborted) {
      try {
        const broken = new Promise((resolve) => connection.once('error', resolve))
        await Promise.race([pause(INTERVAL.alive), broken])
        if (!released.signal.aborted) await ask(connection, 'do 0')
      } catch (err) {
        log.warn({ err }, 'lost the connection that holds the lock of the database')
        connection.destroy()
        await claimAgain()
      }
    }
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
        // The server may still know the connection that broke.
        if (who && !own.has(who.id)) {
          log.fatal('another service uses the database: this one stops')
          released.abort()
          return lost()
        }
      } catch {} // It is away; whoever uses it logs that.
      await pause(INTERVAL.again)
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      released.abort()
      // Not `end()`: a server that hangs would hold up the end of the service.
      connection.destroy()
    },
  }
}

/** The connection that has the lock. @throws StartError. */
async function first(url: string): Promise<Connection> {
  const connection = await connect(url).catch((cause) => {
    throw cannotUse(cause, 'DATABASE_URL')
  })
  try {
    if (await lock(connection)) return connection
    const holder = await holderOf(connection)
    throw new StartError(
      `DATABASE_URL: another service${holder?.host ? ` (on ${holder.host})` : ''} already uses this database. Stop it ` +
        'first, or set DATABASE_URL to another database.',
    )
  } catch (cause) {
    connection.destroy()
    throw cannotUse(cause, 'DATABASE_URL')
  }
}

async function connect(url: string): Promise<Connection> {
  const connection = await mysql.createConnection(serverOf(url))
  // Without a listener, an idle connection that breaks would end the process.
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

/** The connection that has the lock, and the host that it comes from. Undefined: it has ended by now. */
async function holderOf(connection: Connection): Promise<{ id: number; host: string | undefined } | undefined> {
  const [lock] = await ask(connection, `select is_used_lock(${LOCK}) as id`)
  if (lock!.id === null) return undefined
  const id = Number(lock!.id)
  const [process] = await ask(connection, `select host from information_schema.processlist where id = ${id}`)
  // The client's port says nothing to people.
  return { id, host: process?.host?.replace(/:\d+$/, '') || undefined }
}
