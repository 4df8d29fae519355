import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../errors.ts'
import { cannotUse, type Database, openSeparately } from './database.ts'
import { ANSWER_TIMEOUT_MS } from './server.ts'

/** Seconds that one attempt waits for the lock: the server may not have noticed the end of the last holder yet. */
const LOCK_WAIT_S = 3

/** Milliseconds between two checks of the lock. */
const CHECK_INTERVAL_MS = 5000

/** Seconds of silence after which a holder is gone with its machine: a living one checks its lock more often. */
const GONE_AFTER_S = 8

/** Attempts from one log line to the next: half a minute. */
const ATTEMPTS_PER_LINE = 10

/** User locks belong to the server, not to a database, so the name contains the database. At most 64 characters. */
const LOCK = "concat('athanor:', md5(database()))"

/** How a start claims the database. */
interface ClaimTerms {
  /** Attempts to get the lock from a living holder. */
  attempts: number
  /** Says why a holder keeps the lock, and what would work. */
  remedy: string
}

/** For a service that keeps the database for itself. */
const ALONE: ClaimTerms = {
  // Afterwards a dead holder has been silent for long enough.
  attempts: 3,
  remedy: 'already uses this database. Stop it first, or set DATABASE_URL to another database.',
}

/** For a node among others, which holds the database only while it starts. */
export const UNTIL_STARTED: ClaimTerms = {
  attempts: 20,
  remedy:
    'has held this database for a minute: it runs without REDIS_URL, or changes the schema. Stop it, or wait for it.',
}

/** The connection that holds the lock. */
interface Holder {
  id: number
  /** Undefined: this service may not see it. */
  host: string | undefined
  /** Seconds since its last statement. */
  silent: number
}

/**
 * Claims a database on a MySQL or MariaDB server for one service. Each service keeps its files in its own folder, so
 * two services would break each other's conversions. The claim is a user lock of a connection that stays open. The
 * server releases it with the connection: at once if the process is killed, within 60 s if its machine is cut off.
 *
 * A start waits for the end of a holder that is silent: after a power failure, that is the one before.
 *
 * If the connection breaks, another one takes the lock. `lost` is called if another service has taken it meanwhile.
 *
 * @throws StartError if another service has the database, ServerAway if the server does not answer.
 */
export async function claimDatabase(
  url: string,
  log: Logger,
  lost: () => void,
  terms: ClaimTerms = ALONE,
): Promise<AsyncDisposable> {
  const database = openSeparately(url, ANSWER_TIMEOUT_MS)
  const released = new AbortController()
  /** Ids of the connections that have held the lock. The server may still know a broken one. */
  const own = new Set<number>()

  /** Takes the lock, or keeps it. Resolves to the holder if there is another one. */
  async function take(): Promise<Holder | undefined> {
    const [[taken]] = await database.raw(`select get_lock(${LOCK}, ?) as held, connection_id() as id`, [LOCK_WAIT_S])
    if (taken.held !== 1) return findHolder(database)
    own.add(taken.id)
    return undefined
  }

  async function claim(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const holder = await take()
      if (own.size) return
      const host = holder?.host
      const isGone = holder && holder.silent > GONE_AFTER_S
      if (attempt >= terms.attempts && !isGone) {
        throw new StartError(`DATABASE_URL: another service${host ? ` (on ${host})` : ''} ${terms.remedy}`)
      }
      if (attempt % ATTEMPTS_PER_LINE === 1) log.info({ host }, 'waiting for the service that holds the database')
    }
  }

  async function keep(): Promise<void> {
    while (!released.signal.aborted) {
      await delay(CHECK_INTERVAL_MS, undefined, { signal: released.signal, ref: false }).catch(() => {})
      // While the server is away, the code that uses the database logs that.
      const holder = released.signal.aborted ? undefined : await take().catch(() => undefined)
      if (!holder || own.has(holder.id)) continue
      log.fatal('another service uses the database: this one stops')
      released.abort()
      lost()
    }
  }

  try {
    await claim()
  } catch (cause) {
    await database.destroy()
    throw cannotUse(cause, 'DATABASE_URL')
  }
  void keep()
  return {
    async [Symbol.asyncDispose]() {
      released.abort()
      await database.destroy()
    },
  }
}

/** Returns the connection that has the lock; undefined if it has ended meanwhile. */
async function findHolder(database: Database): Promise<Holder | undefined> {
  const [[{ id }]] = await database.raw(`select is_used_lock(${LOCK}) as id`)
  if (id === null) return undefined
  const [[shown]] = await database.raw('select host, time from information_schema.processlist where id = ?', [id])
  // Without the client's port, which does not help people.
  return { id: Number(id), host: shown?.host.replace(/:\d+$/, '') || undefined, silent: Number(shown?.time ?? 0) }
}
