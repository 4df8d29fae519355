import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import mysql from 'mysql2/promise'

/** A MariaDB server for a test, on a socket in a temporary folder. */
export interface MariaDb extends AsyncDisposable {
  /** Creates an empty database and returns its URL. */
  create(name: string): Promise<string>
  stop(): Promise<void>
  start(): Promise<void>
  /** Suspends it, with open connections, until `resume`. */
  pause(): void
  resume(): void
}

/** Starts MariaDB (Debian: mariadb-server-core) on a Unix socket only. Resolves when it is ready. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-mariadb-'))
  const socketPath = join(folder, 'socket')
  const root = userInfo().uid === 0
  if (root) {
    // The server refuses to run as root.
    await chown(folder, 65_534, 65_534)
    await chmod(folder, 0o700)
  }
  const user = root ? { uid: 65_534, gid: 65_534 } : {}
  const common = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    // Servers with the same process id, in different containers, would share temporary files.
    `--tmpdir=${folder}`,
    '--innodb-buffer-pool-size=32M',
    '--innodb-log-file-size=8M',
  ]
  const install = ['--auth-root-authentication-method=normal', '--skip-test-db', ...common]
  await execa('/usr/bin/mariadb-install-db', install, { ...user, cwd: folder })

  const query = async (sql: string) => {
    const connection = await mysql.createConnection({ socketPath, user: 'root' })
    await connection.query(sql)
    await connection.end()
  }
  const launch = () => {
    // The data need not survive a power failure, so do not wait for the disk.
    const careless = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF', '--innodb-flush-method=nosync']
    const options = [...common, ...careless, `--socket=${socketPath}`, `--pid-file=${folder}/pid`, '--skip-networking']
    return spawn('/usr/sbin/mariadbd', options, { ...user, cwd: folder, stdio: 'ignore' })
  }
  let server = launch()

  async function ready(): Promise<void> {
    for (let attempt = 0; attempt < 1800; attempt++) {
      if (
        await query('select 1').then(
          () => true,
          () => false,
        )
      )
        return
      await delay(100)
    }
    throw new Error('MariaDB did not answer in three minutes')
  }
  async function stop(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGCONT')
    server.kill('SIGTERM')
    await gone
  }
  await ready()

  return {
    async create(name) {
      await query(`create database ${name} character set utf8mb4`)
      return `mysql://root@localhost/${name}?socketPath=${encodeURIComponent(socketPath)}`
    },
    stop,
    async start() {
      server = launch()
      await ready()
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
