import { askDirectly } from './connection.ts'
import type { Database } from './database.ts'

/** Databases on servers that do not know compound statements: MySQL. */
const refusing = new WeakSet<Database>()

/** Whether the server may know compound statements (`begin not atomic … end`), outside of stored programs. */
export const mayCompound = (database: Database): boolean =>
  database.client.config.client === 'mysql2' && !refusing.has(database)

/** Whether a statement failed because the server does not know compound ones. Then none is tried again. */
export function refusesCompound(database: Database, error: unknown): boolean {
  const refuses = (error as NodeJS.ErrnoException).code === 'ER_PARSE_ERROR'
  if (refuses) refusing.add(database)
  return refuses
}

/**
 * Runs a compound statement that selects rows at most once. Resolves to them; undefined: the database does not know such
 * statements, and nothing has changed.
 */
export async function askCompound<Row>(
  database: Database,
  sql: string,
  values: readonly (string | null)[],
): Promise<Row[] | undefined> {
  if (!mayCompound(database)) return undefined
  try {
    const [rows = []] = await askDirectly(database, sql, values)
    return rows as Row[]
  } catch (error) {
    if (refusesCompound(database, error)) return undefined
    throw error
  }
}
