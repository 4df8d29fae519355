import type { ConnectionOptions } from 'mysql2'

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
