import type { ResultSetHeader, RowDataPacket } from 'mysql2'
import { mayCompound, refusesCompound } from './compound.ts'
import { onConnection, type RunStatement } from './connection.ts'
import type { Database } from './database.ts'
import type { Change, LastRead, Transact, Work } from './work.ts'

/** Maximum runs of work that the database aborts because of deadlocks. */
const RUNS = 5

/** Not a lock that nobody released in time: the client has waited long enough. */
const RETRIED: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_CHECKREAD'])

/**
 * Each answer that a node waits for costs more than the statement before it. So a transaction of usual changes is one compound
 * statement, if the server knows such statements: MariaDB does, MySQL does not.
 */
export function transactOnServer(database: Database): Transact {
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
  steps: readonly (Required<Change> | LastRead)[]
  /** Returns the result of the work. @param found Number of rows that its look found. */
  finish(found: number): T
}

/** Returns what work does if each change matches its usual number of rows. Undefined: one has no such number. */
function foresee<T>(work: Work<T>): Foreseen<T> | undefined {
  const steps: (Required<Change> | LastRead)[] = []
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

const inTransaction = <T>(database: Database, run: (ask: RunStatement) => Promise<T>): Promise<T> =>
  onConnection(database, async (ask, connection) => {
    try {
      return await run(ask)
    } catch (error) {
      // Nobody may get a connection with an open transaction.
      await ask('rollback').catch(() => connection.destroy())
      throw error
    }
  })
