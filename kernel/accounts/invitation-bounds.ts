import type { Database } from '../database/database.ts'
import { beginDay, chargeInvitations } from '../database/tables/quota-use.ts'
import { ServiceError } from '../errors.ts'

/** Daily limits (UTC): invitations by an account, and invitation mails to an address. */
const PER_DAY = { made: 100, mailed: 3 }

const DAY = 86_400_000
const today = () => Math.floor(Date.now() / DAY)

/** Prepares the row of an account's day. Resolves to a function that charges new invitations, in a transaction. */
export async function openDay(database: Database, user: string) {
  const day = today()
  await beginDay(database, [user], day)
  /** @throws ServiceError QUOTA_EXCEEDED. */
  return async (transaction: Database, number: number): Promise<void> => {
    if (await chargeInvitations(transaction, { subject: user, day }, number, PER_DAY.made)) return
    throw new ServiceError(
      'QUOTA_EXCEEDED',
      `members: you can invite ${PER_DAY.made} addresses a day; a new day begins at 00:00 UTC`,
      { retryAfter: Math.ceil((DAY - (Date.now() % DAY)) / 1000) },
    )
  }
}

/** Counts a mail to an address. Resolves to false if the address may get no more today. @param subject Of `quota_use`. */
export async function mayBeMailed(database: Database, subject: string): Promise<boolean> {
  const day = today()
  await beginDay(database, [subject], day)
  return chargeInvitations(database, { subject, day }, 1, PER_DAY.mailed)
}
