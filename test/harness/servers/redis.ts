import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { newFolder, removeFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { untilSucceeds } from '../until.ts'

/** A Redis server for a test, on loopback, without files. */
export interface RedisServer extends AsyncDisposable {
  url: string
  stop(): Promise<void>
  /** Starts it again, empty. */
  start(): Promise<void>
  /** Suspends it, with open connections, until `resume`. */
  pause(): void
  resume(): void
  /** Removes everything that it holds. */
  empty(): Promise<void>
}

/**
 * Starts Redis 7 (Debian: redis-tools, whose programs are one binary). Resolves when it is ready.
 *
 * @param password That clients must send. Default: none.
 */
export async function startRedis(password = ''): Promise<RedisServer> {
  const folder = await newFolder()
  const port = await freePort()
  const launch = () => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    if (password) options.push('--requirepass', password)
    return spawn('/usr/bin/redis-check-rdb', options, { argv0: 'redis-server', stdio: 'ignore' })
  }
  let server = launch()

  async function ask(command: string): Promise<void> {
    const client = new Redis({ port, host: '127.0.0.1', password, lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.call(command)
    } finally {
      client.disconnect()
    }
  }
  const ready = () => untilSucceeds(() => ask('ping'))
  async function stop(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  await ready()
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async start() {
      server = launch()
      await ready()
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    empty: () => ask('flushall'),
    async [Symbol.asyncDispose]() {
      await stop()
      await removeFolder(folder)
    },
  }
}
