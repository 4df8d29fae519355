import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import {
  freeAllIdempotencyKeys,
  freeIdempotencyKey,
  HELD,
  type IdempotencyRow,
  insertIdempotencyKey,
  readIdempotencyKey,
  renewIdempotencyKey,
  takeIdempotencyKey,
  writeIdempotencyKey,
} from '../database/tables/idempotency-keys.ts'
import { ServiceError } from '../errors.ts'
import type { Owner } from './owner.ts'

/** Milliseconds for which a key and its answer are kept. */
const KEPT = 24 * 3600_000

/** Keys that clients send, so that a repeated request has its effect once. */
export interface Idempotency {
  /**
   * Begins a request with a key: until it ends, no other one works with this key of this owner for this operation.
   * @throws ServiceError IDEMPOTENCY_KEY_IN_USE.
   */
  begin(owner: Owner, operation: string, key: string): Promise<KeyedRequest>
}

/** Notes what a request makes, in the transaction that makes it. @throws ServiceError if another one has the key. */
export type NoteMade = (transaction: Database, record: string) => Promise<void>

/** A request with a key. */
export interface KeyedRequest {
  /**
   * Compares the request with an earlier one of the same key. `answer`: its answer, which is to be sent again. Only
   * `record`: what it made before it was interrupted. Neither: there was none.
   * @param fingerprint Hash of what the client sent. @throws ServiceError IDEMPOTENCY_KEY_REUSED.
   */
  compare(fingerprint: string): { record?: string | undefined; answer?: string | undefined }
  made: NoteMade
  /** Keeps the answer, for later requests with the key. */
  complete(answer: string): Promise<void>
  /** Releases the key. If nothing was made, it is as if the request had never come. */
  end(): Promise<void>
}

/** @param alone Whether no other node uses the database: an earlier process of this one has left its keys. */
export async function createIdempotency(database: Database, alone: boolean): Promise<Idempotency> {
  if (alone) await freeAllIdempotencyKeys(database)

  /** Resolves to what is known of the key, which `holder` holds now. */
  async function hold(id: string, owner: string, holder: string): Promise<IdempotencyRow> {
    await insertIdempotencyKey(database, { id, owner, holder, expires_at: Date.now() + KEPT })
    const row = await readIdempotencyKey(database, id)
    if (row?.holder === holder || (row && row.answer !== null && row.expires_at > Date.now())) return row
    if (!row || row.rest > 0) throw keyInUse(row?.rest)
    const isOver = row.expires_at <= Date.now()
    const nothing = { fingerprint: null, record: null, answer: null, expires_at: Date.now() + KEPT }
    const change = { holder, ...(isOver && nothing) }
    if (!(await takeIdempotencyKey(database, id, row.holder, change))) throw keyInUse()
    return { ...row, ...change }
  }

  return {
    async begin(owner, operation, key) {
      const payer = owner.team?.id ?? ''
      const id = createHash('sha256').update([owner.id, payer, operation, key].join('\0')).digest('hex')
      const holder = randomUUID()
      const row = await hold(id, owner.id, holder)
      const renewal = setInterval(() => renewIdempotencyKey(database, id, holder).catch(() => {}), HELD / 3).unref()
      let isComplete = row.answer !== null
      if (isComplete) clearInterval(renewal)
      let print = row.fingerprint
      return {
        compare(fingerprint) {
          if (print !== null && print !== fingerprint) {
            const message = 'This Idempotency-Key came with another request before; send a new key for a new request'
            throw new ServiceError('IDEMPOTENCY_KEY_REUSED', message)
          }
          print = fingerprint
          return { record: row.record ?? undefined, answer: row.answer ?? undefined }
        },
        async made(transaction, record) {
          if (!(await writeIdempotencyKey(transaction, id, holder, { fingerprint: print, record }))) throw keyInUse()
        },
        async complete(answer) {
          await writeIdempotencyKey(database, id, holder, { fingerprint: print, answer, held_until: 0 })
          isComplete = true
        },
        async end() {
          clearInterval(renewal)
          if (isComplete || (await freeIdempotencyKey(database, id, holder))) return
          await writeIdempotencyKey(database, id, holder, { held_until: 0 })
        },
      }
    },
  }
}

/** @param rest Milliseconds until the key is free at the latest. */
const keyInUse = (rest = 0) =>
  new ServiceError('IDEMPOTENCY_KEY_IN_USE', 'Another request with this Idempotency-Key is at work; try again soon', {
    retryAfter: Math.max(1, Math.min(5, rest / 1000)),
  })
