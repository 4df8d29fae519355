import type { Config, Plan } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { firstConversionExpiry } from '../database/tables/conversions.ts'
import { firstFileExpiry } from '../database/tables/files.ts'
import {
  beginCounting,
  chargeBytes,
  deleteEmpty,
  listStoredBytes,
  refundBytes,
} from '../database/tables/stored-bytes.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import { createArrivals } from './arrivals.ts'
import { expiryOf, type Payer, readSubjects } from './owner.ts'

/** Kind of the file, for messages. */
export type Stored = 'file' | 'result'

/** An upload or import in progress. Ending it twice changes nothing. */
export interface Arrival {
  /** Counts bytes that have arrived. @throws ServiceError QUOTA_EXCEEDED as soon as they do not fit. */
  add(bytes: number): Promise<void>
  /** Stops counting: the bytes are charged or discarded. */
  end(): void
}

/** An arrival without a limit, or whose bytes count already. */
export const UNCOUNTED: Arrival = { add: async () => {}, end() {} }

export type StoredBytes = ReturnType<typeof createStoredBytes>

/** Work in a transaction that charges bytes by `take`. */
type Charging<T> = (transaction: Database, take: () => Promise<void>) => Promise<T>

/** Thrown inside the transaction to roll it back: a subject has too little space left, or no row yet. */
class Uncharged extends Error {}

/** Number of attempts to charge while others add and remove the rows. */
const TRIES = 5

/** Milliseconds after its expiry within which the sweeper removes a file. */
const SWEPT = 20_000

/**
 * Counts the bytes of uploads and results by subject: an account, or the address and the fingerprint of a guest. The
 * count changes in the transaction that writes or deletes the record of the file, and only if enough space is left. So
 * parallel uploads cannot exceed a limit together, and after a crash the counts still match the files.
 */
export function createStoredBytes({
  config,
  database,
}: {
  config: Pick<Config, 'plans' | 'retention'>
  database: Database
}) {
  const limitOf = ({ plan }: Payer): Plan['storedBytes'] => config.plans[plan].storedBytes

  /** Returns the bytes stored now. For a guest, the larger count of its address and its fingerprint. */
  async function used({ chargeTo }: Pick<Payer, 'chargeTo'>): Promise<number> {
    const rows = await listStoredBytes(database, chargeTo)
    return Math.max(0, ...rows.map(({ bytes }) => bytes))
  }

  const arrivals = createArrivals(used)

  /** Returns when the first of the owner's own files is removed, in epoch milliseconds. */
  async function firstExpiry({ id }: Payer): Promise<number> {
    const first = await Promise.all([firstFileExpiry(database, id), firstConversionExpiry(database, id)])
    const latest = expiryOf({ owner: id }, config)
    return Math.max(Date.now(), Math.min(...first.map((at) => at ?? latest), latest)) + SWEPT
  }

  async function exceeded(payer: Payer, inUse: number, what: string): Promise<ServiceError> {
    const at = await firstExpiry(payer)
    const limit = sizeInWords(limitOf(payer) ?? 0)
    const message = `${what}: your plan stores ${limit}, of which ${sizeInWords(inUse)} are used; files expire from ${new Date(at).toISOString()} on, or delete some`
    return new ServiceError('QUOTA_EXCEEDED', message, { retryAfter: (at - Date.now()) / 1000 })
  }

  return {
    used,

    /** Starts to count a file. @throws ServiceError QUOTA_EXCEEDED if `announced` bytes cannot fit. */
    async arrive(payer: Payer, announced = 0): Promise<Arrival> {
      const limit = limitOf(payer)
      if (limit === null) return UNCOUNTED
      const arrival = await arrivals.open(payer.chargeTo, limit)
      const refuse = async () => {
        arrival.end()
        return exceeded(payer, arrival.inUse(), 'The file does not fit')
      }
      if (!arrival.fits(Math.max(1, announced))) throw await refuse()
      return {
        async add(bytes: number) {
          if (!(await arrival.add(bytes))) throw await refuse()
        },
        end: arrival.end,
      }
    },

    /** @throws ServiceError QUOTA_EXCEEDED if not one more byte fits. */
    async requireRoom(payer: Payer) {
      const limit = limitOf(payer)
      const inUse = limit === null ? 0 : await used(payer)
      if (limit !== null && inUse >= limit) throw await exceeded(payer, inUse, 'No result would fit')
    },

    /**
     * Runs work in one transaction, which calls `take()` to charge the bytes: both happen, or neither.
     * @throws ServiceError QUOTA_EXCEEDED if they do not fit.
     */
    async charge<T>(payer: Payer, bytes: number, what: Stored, work: Charging<T>) {
      const { chargeTo } = payer
      const limit = limitOf(payer)
      const before = limit === null ? null : limit - bytes
      async function take(transaction: Database): Promise<void> {
        // Nothing would ever remove the row of a subject without bytes.
        if (bytes && !(await chargeBytes(transaction, chargeTo, bytes, before))) throw new Uncharged()
      }
      for (let attempt = 1; ; attempt++) {
        try {
          const result = await transact(database, (transaction) => work(transaction, () => take(transaction)))
          arrivals.charged(chargeTo, bytes)
          return result
        } catch (error) {
          if (!(error instanceof Uncharged)) throw error
        }
        const inUse = await used(payer)
        if (limit !== null && inUse + bytes > limit) throw await exceeded(payer, inUse, `The ${what} does not fit`)
        if (attempt === TRIES) throw await exceeded(payer, inUse, `The ${what} does not fit`)
        // The first bytes of a subject.
        await beginCounting(database, chargeTo)
      }
    },

    /**
     * Refunds bytes, in the transaction that deletes the record of the file. `meanwhile` runs after the refund: it may
     * charge the same subjects.
     */
    async giveBack(transaction: Database, chargedTo: string | null, bytes: number, meanwhile?: () => Promise<void>) {
      const subjects = bytes ? readSubjects(chargedTo) : []
      if (subjects.length) await refundBytes(transaction, subjects, bytes)
      await meanwhile?.()
      if (subjects.length) await deleteEmpty(transaction, subjects)
    },
  }
}

/** Formats a size for messages: in bytes below 1 kB, otherwise to a tenth of a kB or MB (10^3, 10^6 bytes). */
function sizeInWords(bytes: number): string {
  const [unit, name] = bytes < 1e3 ? [1, 'bytes'] : bytes < 1e6 ? [1e3, 'kB'] : [1e6, 'MB']
  return `${Math.round((bytes / unit) * 10) / 10} ${name}`
}
