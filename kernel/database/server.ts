import type { ConnectionOptions } from 'mysql2'

/** How to connect to the server that a `mysql://` URL names. `socketPath` in its query is a Unix socket. */
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
    // Sizes over 2^31 come back as numbers, as they do from SQLite.
    supportBigNumbers: true,
    connectTimeout: 5000,
  }
}
