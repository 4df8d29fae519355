import { Redis } from 'ioredis'
import { newFolder, removeFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { type Child, startChild } from './child.ts'

/** A Redis server for a test, on loopback, without files: what starts again is empty. */
export interface RedisServer extends Child {
  url: string
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
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  if (password) options.push('--requirepass', password)

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
  const server = await startChild(['/usr/bin/redis-check-rdb', ...options], () => ask('ping'), {
    argv0: 'redis-server',
    stdio: 'ignore',
    end: 'SIGKILL',
  })
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    empty: () => ask('flushall'),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await removeFolder(folder)
    },
  }
}
