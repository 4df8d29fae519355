import type { Knex } from 'knex'
import { ServiceError } from '../errors.ts'

/** Invitations that one account may make in a day (UTC), and mails about them that one address is sent. */
const PER_DAY = { made: 100, mailed: 3 }

const DAY = 86_400_000
const today = () => Math.floor(Date.now() / DAY)

/**
 * Makes the row in which a subject's day is counted. Not for a transaction: inserts of one row at one time would lock each
 * other out there.
 */
async function begin(database: Knex, subject: string, day: number): Promise<void> {
  const row = { subject, day, conversions: 0, bytes: 0 }
  await database('quota_use').insert(row).onConflict(['subject', 'day']).ignore()
}

/** Counts so many more if they are within the bound. The update decides, so requests at one time cannot pass it. */
async function count(database: Knex, subject: string, day: number, number: number, most: number): Promise<boolean> {
  const within = database('quota_use')
    .where({ subject, day })
    .andWhere('invitations', '<=', most - number)
  return (await within.increment('invitations', number)) > 0
}

/** Opens an account's day; gives what charges it for new invitations, in a transaction. */
export async function openDay(database: Knex, user: string) {
  const day = today()
  await begin(database, user, day)
  /** @throws ServiceError QUOTA_EXCEEDED. */
  return async (transaction: Knex, number: number): Promise<void> => {
    if (await count(transaction, user, day, number, PER_DAY.made)) return
    throw new ServiceError(
      'QUOTA_EXCEEDED',
      `members: you can invite ${PER_DAY.made} addresses a day; a new day begins at 00:00 UTC`,
      { retryAfter: Math.ceil((DAY - (Date.now() % DAY)) / 1000) },
    )
  }
}

/** Whether an address may be sent one more mail today; it is counted. @param subject Of `quota_use`. */
export async function mayBeMailed(database: Knex, subject: string): Promise<boolean> {
  const day = today()
  await begin(database, subject, day)
  return count(database, subject, day, 1, PER_DAY.mailed)
}
