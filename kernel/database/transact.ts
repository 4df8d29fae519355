import type SQLite from 'better-sqlite3'
import type { Database } from './database.ts'
import { transactOnServer } from './transact-on-server.ts'
import type { Transact, Work } from './work.ts'

/** Short transactions, which start and end conversions: prepared statements on SQLite, plain ones elsewhere. */
export function createTransact(database: Database): Transact {
  return database.client.config.client === 'better-sqlite3' ? onSqlite(database) : transactOnServer(database)
}

/** Work that waits for its transaction, and what becomes of it. */
interface Due {
  work: () => Work<any>
  resolve: (result: any) => void
  reject: (error: unknown) => void
}

/**
 * Synchronous: no other task runs in between, and none waits for the connection. Work that is due in one turn of the event
 * loop shares a commit, and each has its own savepoint, so that one can fail without the others.
 */
function onSqlite({ client }: Database): Transact {
  const prepared = new WeakMap<SQLite.Database, Map<string, SQLite.Statement>>()
  let due: Due[] = []

  async function commit(): Promise<void> {
    let connection: SQLite.Database
    try {
      // From the pool of one connection, so that no other transaction is open on it.
      connection = await client.acquireConnection()
    } catch (error) {
      for (const { reject } of takeDue()) reject(error)
      return
    }
    try {
      let statements = prepared.get(connection)
      if (!statements) prepared.set(connection, (statements = new Map()))
      runTogether(takeDue(), connection, statements)
    } finally {
      await client.releaseConnection(connection)
    }
  }

  function takeDue(): Due[] {
    const taken = due
    due = []
    return taken
  }

  return (work) =>
    new Promise((resolve, reject) => {
      if (due.push({ work, resolve, reject }) === 1) setImmediate(commit)
    })
}

function runTogether(
  due: readonly Due[],
  connection: SQLite.Database,
  statements: Map<string, SQLite.Statement>,
): void {
  // Inside another transaction, this is a savepoint.
  const run = connection.transaction((work: () => Work<unknown>) => runAtOnce(work(), connection, statements))
  const settle: (() => void)[] = []
  const runEach = connection.transaction(() => {
    for (const { work, resolve, reject } of due) {
      try {
        const result = run(work)
        settle.push(() => resolve(result))
      } catch (error) {
        // Some errors, such as a full disk, end the whole transaction.
        if (!connection.inTransaction) throw error
        settle.push(() => reject(error))
      }
    }
  })
  if (due.length > 1) {
    try {
      runEach.immediate()
      for (const one of settle) one()
      return
    } catch {
      // Nothing was committed. Each runs alone and gets its own error.
    }
  }
  for (const { work, resolve, reject } of due) {
    try {
      resolve(run.immediate(work))
    } catch (error) {
      reject(error)
    }
  }
}

function runAtOnce<T>(work: Work<T>, connection: SQLite.Database, statements: Map<string, SQLite.Statement>): T {
  let step = work.next()
  while (!step.done) {
    const { sql, values } = step.value
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = connection.prepare(sql)))
    const rows = 'look' in step.value ? statement.all(...values).length : statement.run(...values).changes
    step = work.next(rows)
  }
  return step.value
}
