import type SQLite from 'better-sqlite3'
import type { ResultSetHeader, RowDataPacket } from 'mysql2'
import { mayCompound, refusesCompound } from './compound.ts'
import { type Ask, onConnection } from './connection.ts'
import type { Database } from './database.ts'

/** One statement that changes rows. Its text comes from a small, fixed set, so that each is prepared once and kept. */
export interface Change {
  sql: string
  values: readonly (string | number | null)[]
  /**
   * Number of rows that it nearly always matches. If all changes of some work have one, a server may run them together. If one
   * then matches another number, nothing has changed, and the work runs step by step.
   */
  usual?: number
}

/** A statement that reads, as the last step of some work. A server runs it after the commit. */
export interface Look extends Pick<Change, 'sql' | 'values'> {
  look: true
}

/**
 * Steps of a transaction. Yields changes and gets the number of rows that each matched; may yield a look at the end, and gets
 * the number of rows that it found. Throwing before that rolls back.
 */
export type Work<T = void> = Generator<Change | Look, T, number>

/**
 * Runs work in one transaction. It may run several times, for example after a deadlock, so everything that it changes outside
 * the database must allow that.
 */
export type Transact = <T>(work: () => Work<T>) => Promise<T>

/** Maximum runs of work that the database aborts because of deadlocks. */
const RUNS = 5

const RETRIED: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'])

/** Short transactions, which start and end conversions: prepared statements on SQLite, plain ones elsewhere. */
export function createTransact(database: Database): Transact {
  return database.client.config.client === 'better-sqlite3' ? onSqlite(database) : onMysql(database)
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

/**
 * Each answer that a node waits for costs more than the statement before it. So a transaction of usual changes is one compound
 * statement, if the server knows such statements: MariaDB does, MySQL does not.
 */
function onMysql(database: Database): Transact {
  /** Undefined: the work must run step by step. */
  async function runTogether<T>(work: () => Work<T>): Promise<{ result: T } | undefined> {
    const usual = foresee(work())
    if (!usual) return undefined
    const { steps, finish } = usual
    try {
      const answer = await inTransaction(database, (ask) =>
        ask(
          compoundOf(steps),
          steps.flatMap(({ values }) => values),
        ),
      )
      return { result: finish(Array.isArray(answer) ? answer[0]!.length : 0) }
    } catch (error) {
      const isUnusual = (error as NodeJS.ErrnoException).code === 'ER_SIGNAL_EXCEPTION'
      if (!isUnusual && !refusesCompound(database, error)) throw error
      return undefined
    }
  }

  return async (work) => {
    let together = mayCompound(database)
    for (let run = 1; ; run++) {
      try {
        const done = together ? await runTogether(work) : undefined
        if (done) return done.result
        together = false
        return await runInSteps(work(), database)
      } catch (error) {
        if (run === RUNS || !RETRIED.has((error as NodeJS.ErrnoException).code)) throw error
      }
    }
  }
}

/** Steps that are known before the first one runs. */
interface Foreseen<T> {
  steps: readonly (Required<Change> | Look)[]
  /** Returns the result of the work. @param found Number of rows that its look found. */
  finish(found: number): T
}

/** Returns what work does if each change matches its usual number of rows. Undefined: one has no such number. */
function foresee<T>(work: Work<T>): Foreseen<T> | undefined {
  const steps: (Required<Change> | Look)[] = []
  for (let step = work.next(); ; ) {
    if (step.done) {
      const { value } = step
      return { steps, finish: () => value }
    }
    if ('look' in step.value) return { steps: [...steps, step.value], finish: (found) => endOf(work, found) }
    const { usual, ...change } = step.value
    if (usual === undefined) return undefined
    steps.push({ ...change, usual })
    step = work.next(usual)
  }
}

function endOf<T>(work: Work<T>, found: number): T {
  const step = work.next(found)
  if (!step.done) throw new Error('a look must be the last step of a transaction')
  return step.value
}

/** One statement for the whole transaction. It fails, and changes nothing, if a change does not match its usual number of rows. */
function compoundOf(steps: Foreseen<unknown>['steps']): string {
  const changes = steps.map((step) => ('look' in step ? '' : `${step.sql}; ${unless(step.usual)}`))
  const look = steps.map((step) => ('look' in step ? `${step.sql};` : ''))
  return `begin not atomic start transaction; ${changes.join(' ')} commit; ${look.join('')} end`
}

const unless = (usual: number) => `if row_count() <> ${usual} then signal sqlstate '45000'; end if;`

const runInSteps = <T>(work: Work<T>, database: Database): Promise<T> =>
  inTransaction(database, async (ask) => {
    await ask('begin')
    let step = work.next()
    while (!step.done && !('look' in step.value)) step = work.next(rowsOf(await ask(step.value.sql, step.value.values)))
    await ask('commit')
    return step.done ? step.value : endOf(work, rowsOf(await ask(step.value.sql, step.value.values)))
  })

const rowsOf = (answer: ResultSetHeader | RowDataPacket[]) =>
  Array.isArray(answer) ? answer.length : answer.affectedRows

const inTransaction = <T>(database: Database, run: (ask: Ask) => Promise<T>): Promise<T> =>
  onConnection(database, async (ask, connection) => {
    try {
      return await run(ask)
    } catch (error) {
      // Nobody may get a connection with an open transaction.
      await ask('rollback').catch(() => connection.destroy())
      throw error
    }
  })
