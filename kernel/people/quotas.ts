import type { Config, Plan } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import {
  beginDay,
  chargeConversion,
  deleteDaysBefore,
  listQuotaUse,
  uncountConversion,
} from '../database/tables/quota-use.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import { type Payer, readSubjects } from './owner.ts'

/** The cost of one conversion. */
export interface Cost {
  /** Bytes of the source. */
  bytes: number
  /** Size of the source according to the client. It must fit the quota, but only `bytes` are charged. */
  claimed: number
  /** Epoch milliseconds. The charge counts for this day. */
  at: number
}

export type Quotas = ReturnType<typeof createQuotas>

const DAY = 86_400_000

/** Returns the day (UTC) of a time in epoch milliseconds, as rows of `quota_use` count it. */
export const dayOf = (time: number) => Math.floor(time / DAY)

/** Thrown inside the transaction to roll it back: the quota of a subject is used up. */
class Uncharged extends Error {}

/**
 * Daily quotas of conversions and of bytes of their sources. Each charge is an update that matches only if enough is
 * left, so parallel requests cannot exceed a limit together, on any database.
 */
export function createQuotas({ config, database }: { config: Pick<Config, 'plans'>; database: Database }) {
  return {
    /**
     * Charges a conversion and runs the rest of the work in the same transaction: both happen, or neither.
     * @throws ServiceError QUOTA_EXCEEDED.
     */
    async charge<T>(
      { chargeTo, ...payer }: Payer,
      { bytes, claimed, at }: Cost,
      rest: (transaction: Database) => Promise<T>,
    ) {
      const plan = config.plans[payer.plan]
      const day = dayOf(at)
      const wanted = Math.max(bytes, claimed)
      const { conversionsPerDay, bytesPerDay } = plan
      const limits = {
        conversions: conversionsPerDay,
        bytesBefore: bytesPerDay === null ? null : bytesPerDay - wanted,
      }
      const isUnverified = payer.plan !== 'guest' && chargeTo.length > 1
      // What can never fit leaves no row.
      refuseBeyond(plan, { conversions: 0, bytes: 0 }, wanted, at, isUnverified)
      await beginDay(database, chargeTo, day)
      try {
        return await transact(database, async (transaction) => {
          const charged = await chargeConversion(transaction, { subjects: chargeTo, day }, bytes, limits)
          if (!charged) throw new Uncharged()
          return await rest(transaction)
        })
      } catch (error) {
        if (!(error instanceof Uncharged)) throw error
        for (const row of await listQuotaUse(database, chargeTo, day)) refuseBeyond(plan, row, wanted, at, isUnverified)
        // Others had used up the quota, but some of it was refunded meanwhile.
        throw tooSoon()
      }
    },

    /** Refunds the charge of a conversion, in the transaction that records a failure that costs nothing. */
    async giveBack(
      transaction: Database,
      { charged_to, source_size, created_at }: { charged_to: string | null; source_size: number; created_at: number },
    ) {
      const subjects = readSubjects(charged_to)
      const charged = { subjects, day: dayOf(created_at) }
      if (subjects.length) await uncountConversion(transaction, charged, Number(source_size))
    },

    /** Today's use of the daily quotas, in UTC. */
    async usage({ chargeTo }: Pick<Payer, 'chargeTo'>, now: number = Date.now()) {
      const used = await listQuotaUse(database, chargeTo, dayOf(now))
      return {
        conversionsToday: Math.max(0, ...used.map(({ conversions }) => conversions)),
        bytesToday: Math.max(0, ...used.map(({ bytes }) => bytes)),
      }
    },

    // Rows of yesterday are kept, because conversions of that day may still fail.
    /** Removes at most `limit` rows of past days; resolves to their number. */
    sweep: (now: number, limit: number) => deleteDaysBefore(database, dayOf(now) - 1, limit),
  }
}

/**
 * @param isUnverified Whether an account shares its quota with its network, until its email address is verified.
 * @throws ServiceError QUOTA_EXCEEDED if a conversion of so many more bytes would exceed a limit.
 */
function refuseBeyond(
  plan: Plan,
  used: { conversions: number; bytes: number },
  bytes: number,
  at: number,
  isUnverified = false,
): void {
  const { conversionsPerDay, bytesPerDay } = plan
  const allows = isUnverified
    ? 'your plan allows to your network until your email address is verified'
    : 'your plan allows'
  if (conversionsPerDay !== null && used.conversions >= conversionsPerDay) {
    throw exceeded(`You have used the ${conversionsPerDay} conversions a day that ${allows}`, at)
  }
  if (bytesPerDay !== null && used.bytes + bytes > bytesPerDay) {
    throw exceeded(`fileSize: this file exceeds what is left of the ${bytesPerDay / 1e6} MB a day that ${allows}`, at)
  }
}

/** Refuses what exceeds a limit of the day. @param at Epoch milliseconds: in that day. */
export const exceeded = (message: string, at: number) =>
  new ServiceError('QUOTA_EXCEEDED', `${message}; a new day begins at 00:00 UTC`, {
    retryAfter: Math.ceil((DAY - (at % DAY)) / 1000),
  })

const tooSoon = () =>
  new ServiceError('QUOTA_EXCEEDED', 'Your running conversions may use up your quota; try again when they have ended', {
    retryAfter: 1,
  })
