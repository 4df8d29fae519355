import type { Database } from '../database.ts'

/** A row of the table `quota_use`: the use of one subject on one day. */
interface QuotaUse {
  /**
   * An account's id, or a digest of a guest's address or fingerprint, of an address that gets mail, or of a network.
   */
  subject: string
  /** Days since 1970-01-01, UTC. */
  day: number
  conversions: number
  /** Bytes of the sources of those conversions. */
  bytes: number
  /** Invitations by an account, invitation mails to an address, or registrations from a network. */
  invitations: number
}

type Which = Pick<QuotaUse, 'subject' | 'day'>

const quotaUse = (database: Database) => database<QuotaUse>('quota_use')

/**
 * Creates missing rows for the counts of a day. Not in a transaction: there, parallel inserts of one row would block
 * each other.
 */
export async function beginDay(database: Database, subjects: readonly string[], day: number): Promise<void> {
  const rows = subjects.map((subject) => ({ subject, day, conversions: 0, bytes: 0 }))
  await quotaUse(database).insert(rows).onConflict(['subject', 'day']).ignore()
}

export const listQuotaUse = (database: Database, subjects: readonly string[], day: number): Promise<QuotaUse[]> =>
  quotaUse(database).whereIn('subject', subjects).andWhere({ day })

/** The subjects that are charged, at least one, and the day. */
interface Charged {
  subjects: readonly string[]
  day: number
}

const chargedRows = (database: Database, { subjects, day }: Charged) =>
  quotaUse(database).whereIn('subject', subjects).andWhere({ day })

/**
 * Counts one conversion for the subjects whose limit it does not exceed, and that have a row for the day; resolves to
 * whether that was all. The update decides, so parallel requests cannot exceed a limit together. One statement locks
 * the rows in the order of their key, so transactions with the same subjects do not deadlock.
 *
 * @param limits Conversions, including this one, and bytes before it; null: no limit.
 */
export async function chargeConversion(
  transaction: Database,
  charged: Charged,
  bytes: number,
  limits: { conversions: number | null; bytesBefore: number | null },
): Promise<boolean> {
  const within = chargedRows(transaction, charged)
  if (limits.conversions !== null) within.andWhere('conversions', '<', limits.conversions)
  if (limits.bytesBefore !== null) within.andWhere('bytes', '<=', limits.bytesBefore)
  return (await within.increment('conversions').increment('bytes', bytes)) === charged.subjects.length
}

/** Undoes `chargeConversion`. */
export async function uncountConversion(transaction: Database, charged: Charged, bytes: number): Promise<void> {
  await chargedRows(transaction, charged)
    .andWhere('conversions', '>', 0)
    .decrement('conversions')
    .decrement('bytes', bytes)
}

/** Counts invitations or registrations, if there are then at most `max`; resolves to whether it did. */
export const chargeInvitations = async (
  database: Database,
  which: Which,
  number: number,
  max: number,
): Promise<boolean> => {
  const within = quotaUse(database)
    .where(which)
    .andWhere('invitations', '<=', max - number)
  return (await within.increment('invitations', number)) > 0
}

/** Deletes at most `limit` rows of days before `day`; resolves to their number. */
export async function deleteDaysBefore(database: Database, day: number, limit: number): Promise<number> {
  const past = await quotaUse(database).where('day', '<', day).select('subject', 'day').limit(limit)
  for (const which of past) await quotaUse(database).where(which).delete()
  return past.length
}

/** Forgets what a subject has used on a day. */
export async function resetQuotaUse(database: Database, { subject, day }: Which): Promise<void> {
  await quotaUse(database).where({ subject, day }).update({ conversions: 0, bytes: 0 })
}
