import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, rename } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import mysql from 'mysql2/promise'
import { newFolder, removeFolder } from '../folder.ts'
import { type Child, startChild } from './child.ts'

/** A MariaDB server for a test, on a socket in a temporary folder. */
export interface MariaDb extends Child {
  /** Creates an empty database and returns its URL. */
  create(name: string): Promise<string>
}

const cache = join(import.meta.dirname, '../../../node_modules/.cache/athanor-test')

/** Keeps a copy of an empty data folder for the next servers: to make one takes longer than to start the server. */
async function keep(data: string, installed: string): Promise<void> {
  const draft = `${installed}.${randomUUID()}`
  await mkdir(cache, { recursive: true })
  await execa('cp', ['--archive', '--reflink=auto', data, draft])
  // Another test may have been faster.
  await rename(draft, installed).catch(() => removeFolder(draft))
}

/** Starts MariaDB (Debian: mariadb-server-core) on a Unix socket only. Resolves when it is ready. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await newFolder()
  const socketPath = join(folder, 'socket')
  const root = userInfo().uid === 0
  if (root) {
    // The server refuses to run as root.
    await chown(folder, 65_534, 65_534)
    await chmod(folder, 0o700)
  }
  const user: { uid?: number; gid?: number } = root ? { uid: 65_534, gid: 65_534 } : {}
  const common = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    // Servers with the same process id, in different containers, would share temporary files.
    `--tmpdir=${folder}`,
    '--innodb-buffer-pool-size=32M',
    '--innodb-log-file-size=8M',
  ]
  const install = ['--auth-root-authentication-method=normal', '--skip-test-db', ...common]
  const installed = join(cache, `mariadb-${user.uid ?? 'own'}`)
  if (!existsSync(installed)) {
    await execa('/usr/bin/mariadb-install-db', install, { ...user, cwd: folder })
    await keep(join(folder, 'data'), installed)
  } else await execa('cp', ['--archive', '--reflink=auto', installed, join(folder, 'data')])

  const query = async (sql: string) => {
    const connection = await mysql.createConnection({ socketPath, user: 'root' })
    await connection.query(sql)
    await connection.end()
  }
  // The data need not survive a power failure, so do not wait for the disk.
  const careless = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF', '--innodb-flush-method=nosync']
  const options = [...common, ...careless, `--socket=${socketPath}`, `--pid-file=${folder}/pid`, '--skip-networking']
  const server = await startChild(['/usr/sbin/mariadbd', ...options], () => query('select 1'), {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  })
  return {
    ...server,
    async create(name) {
      await query(`create database ${name} character set utf8mb4`)
      return `mysql://root@localhost/${name}?socketPath=${encodeURIComponent(socketPath)}`
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await removeFolder(folder)
    },
  }
}
