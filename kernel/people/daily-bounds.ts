import type { Database } from '../database/database.ts'
import { WIDER } from '../database/lanes.ts'
import { beginDay, chargeInvitations } from '../database/tables/quota-use.ts'
import { networkSubjects } from './owner.ts'
import { dayOf, exceeded } from './quotas.ts'

/** Daily limits (UTC): invitations by an account, and invitation mails to an address. */
const PER_DAY = { made: 100, mailed: 3 }

const today = () => dayOf(Date.now())

/** Prepares the row of an account's day. Resolves to a function that charges new invitations, in a transaction. */
export async function openDay(database: Database, user: string) {
  const day = today()
  await beginDay(database, [user], day)
  /** @throws ServiceError QUOTA_EXCEEDED. */
  return async (transaction: Database, number: number): Promise<void> => {
    if (await chargeInvitations(transaction, { subject: user, day }, number, PER_DAY.made)) return
    throw exceeded(`members: you can invite ${PER_DAY.made} addresses a day`, Date.now())
  }
}

/**
 * Counts a mail to an address. Resolves to false if the address may get no more today.
 * @param subject Of `quota_use`.
 */
export async function mayBeMailed(database: Database, subject: string): Promise<boolean> {
  const day = today()
  await beginDay(database, [subject], day)
  return chargeInvitations(database, { subject, day }, 1, PER_DAY.mailed)
}

/**
 * Prepares the rows of today for registrations from an address. Resolves to a function that counts one, in the
 * transaction that creates the account.
 *
 * @param perDay Maximum for an IPv4 address or a /64; larger networks may have more, by `WIDER`.
 */
export async function openRegistrations(database: Database, address: string, perDay: number) {
  const day = today()
  const subjects = networkSubjects('register', address)
  await beginDay(database, subjects, day)
  /** @throws ServiceError QUOTA_EXCEEDED. */
  return async (transaction: Database): Promise<void> => {
    for (const [level, subject] of subjects.entries()) {
      const max = perDay * WIDER ** level
      if (await chargeInvitations(transaction, { subject, day }, 1, max)) continue
      throw exceeded(`At most ${max} accounts a day can be registered from one network`, Date.now())
    }
  }
}
