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
export interface LastRead extends Pick<Change, 'sql' | 'values'> {
  look: true
}

/**
 * Steps of a transaction. Yields changes and gets the number of rows that each matched; may yield a look at the end, and gets
 * the number of rows that it found. Throwing before that rolls back.
 */
export type Work<T = void> = Generator<Change | LastRead, T, number>

/**
 * Runs work in one transaction. It may run several times, for example after a deadlock, so everything that it changes outside
 * the database must allow that.
 */
export type Transact = <T>(work: () => Work<T>) => Promise<T>
