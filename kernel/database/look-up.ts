import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { askDirectly } from './connection.ts'
import type { Database } from './database.ts'

/** Finds one row by a unique column. Polling runs this query often, so it is prepared once. */
export interface LookUp {
  /** @param columns The needed ones, separated by commas. */
  <Row>(
    table: 'conversions' | 'files' | 'users' | 'api_keys',
    column: string,
    value: string,
    columns?: string,
  ): Promise<Row | undefined>
  close(): void
}

/** Uses prepared statements on a separate connection for SQLite, and statements with a fixed text for other databases. */
export function createLookUp(
  database: Database,
  { url, dataDir }: { url: string | undefined; dataDir: string },
): LookUp {
  if (url) {
    const ask = async (table: string, column: string, value: string, columns = '*'): Promise<any> =>
      (await askDirectly(database, `select ${columns} from \`${table}\` where \`${column}\` = ? limit 1`, [value]))[0]
    return Object.assign(ask, { close() {} })
  }
  // With a write-ahead log, a reader sees every commit and never waits for the writer.
  const reader = new SQLite(join(dataDir, 'athanor.sqlite'), { readonly: true })
  const statements = new Map<string, SQLite.Statement>()
  const ask = async (table: string, column: string, value: string, columns = '*'): Promise<any> => {
    const key = `${table}.${column} ${columns}`
    let statement = statements.get(key)
    if (!statement) {
      statements.set(
        key,
        (statement = reader.prepare(`select ${columns} from "${table}" where "${column}" = ? limit 1`)),
      )
    }
    return statement.get(value)
  }
  return Object.assign(ask, { close: () => reader.close() })
}
