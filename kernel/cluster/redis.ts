import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { ServerAway, StartError } from '../errors.ts'

/** Connections of a node to Redis. */
export interface RedisPlace extends AsyncDisposable {
  /** For short commands. They fail at once while Redis is away. */
  redis: Redis
  /** Asks for an answer. Rejects if there is none. */
  ping(): Promise<void>
  /** Whether there is no connection, or the last `ping` had no answer. */
  isAway(): boolean
  /** Makes another connection, on which commands wait for Redis. */
  another(): Redis
  /** Prefix of all keys and channels: installations can share a server. */
  prefix: string
}

/** Milliseconds within which Redis must answer at the start. */
const ANSWER_TIMEOUT_MS = 5000

/**
 * @param secret The signing secret, which tells installations apart.
 * @throws ServerAway if Redis does not answer, StartError if it refuses.
 */
export async function openRedis(url: string, secret: string, log: Logger): Promise<RedisPlace> {
  const all: Redis[] = []
  const connect = (options: object) => {
    const redis = new Redis(url, { ...options, connectTimeout: ANSWER_TIMEOUT_MS, lazyConnect: true })
    // Without a listener, each failed attempt would be printed.
    redis.on('error', (err) => log.debug({ err }, 'connection to Redis failed'))
    all.push(redis)
    return redis
  }
  const redis = connect({ enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: ANSWER_TIMEOUT_MS })
  // `connect` fails with "Connection is closed". The error before tells why.
  let reason: Error | undefined
  redis.once('error', (err) => (reason = err))
  const close = async () => {
    for (const each of all) each.disconnect()
  }
  try {
    await redis.connect()
    await redis.ping()
  } catch (cause) {
    await close()
    throw redisFault(reason ?? (cause as Error))
  }
  announceAbsence(redis, log)
  const digest = createHash('sha256').update(`athanor:redis:${secret}`).digest('hex').slice(0, 12)
  let silent = false
  // A new connection has answered already.
  redis.on('ready', () => {
    silent = false
  })
  return {
    redis,
    async ping() {
      silent = await redis.ping().then(
        () => false,
        () => true,
      )
      if (silent) throw new Error('Redis does not answer')
    },
    isAway: () => silent || redis.status !== 'ready',
    another: () => connect({ maxRetriesPerRequest: null }),
    prefix: `athanor-${digest}`,
    [Symbol.asyncDispose]: close,
  }
}

/** Logs once when Redis goes away, and once when it is back, however often connections fail meanwhile. */
function announceAbsence(redis: Redis, log: Logger): void {
  let away = false
  redis.on('close', () => {
    if (!away && redis.status !== 'end') log.warn('Redis is away')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('Redis is back')
    away = false
  })
}

/** Answers of a server that is starting, or that takes over from another one. */
const SOON = /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|READONLY)\b/

/** Codes of certificates and of TLS that do not fit the settings. */
const TLS_FAULT = /^(ERR_(TLS|SSL|OSSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

function redisFault(cause: Error): StartError {
  const { message, name, code = '' } = cause as NodeJS.ErrnoException
  const isRefusal = (name === 'ReplyError' && !SOON.test(message)) || TLS_FAULT.test(code)
  const said = /^(WRONGPASS|NOAUTH|ERR AUTH)/.test(message)
    ? 'Redis refuses the user name or the password. Check them in the URL: redis://user:password@host:port'
    : /^NOPERM/.test(message)
      ? `the user of the URL may not run the commands of the queue: ${message}`
      : `Redis ${isRefusal ? 'cannot be used' : 'does not answer'}: ${message || code}`
  return new (isRefusal ? StartError : ServerAway)(`REDIS_URL: ${said}.`, { cause })
}
