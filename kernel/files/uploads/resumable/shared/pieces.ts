import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import type { Database } from '../../../../database/database.ts'
import {
  announcePiece,
  deleteCounting,
  deletePiece,
  listPieceKeys,
  listPieces,
  type PieceRow,
  setCounts,
} from '../../../../database/tables/resumable-pieces.ts'
import {
  countReceived,
  countReserved,
  findResumable,
  requireFence,
} from '../../../../database/tables/resumable-uploads.ts'
import { transact } from '../../../../database/transact.ts'
import { ServiceError } from '../../../../errors.ts'
import type { Payer } from '../../../../people/owner.ts'
import type { StoredBytes } from '../../../../people/stored-bytes.ts'
import type { StagedFile, Storage } from '../../../storage/storage.ts'
import { offsetMismatch } from '../refusals.ts'
import type { Lease } from './leases.ts'
import { JOINED, smallAtEnd } from './small-pieces.ts'

/** Bytes of a piece, at most, as it arrives: as many as S3 takes in one request. */
export const PIECE = 8 * 1024 ** 2

/** Objects that are removed at the same time. */
const PARALLEL = 8

/** Pieces of uploads: objects in the storage, each with a row that was written before it. */
export interface Pieces {
  /**
   * Stores a staged piece, which does not count yet. @param payer Who is charged for those of its bytes that the upload
   * has not reserved; undefined: all are reserved.
   * @throws ServiceError OFFSET_MISMATCH if the lease was lost; QUOTA_EXCEEDED, NOT_READY. Nothing is left then.
   */
  put(staged: StagedFile, at: { upload: string; start: number }, lease: Lease, payer?: Payer): Promise<PieceRow>
  /** Makes pieces in a row part of their upload. @throws ServiceError OFFSET_MISMATCH if the lease was lost. */
  count(pieces: readonly PieceRow[], lease: Lease): Promise<void>
  /** Removes pieces that do not count. What cannot be removed now is removed with the upload. */
  drop(keys: readonly string[]): Promise<void>
  /** Joins small pieces at the end of an upload, until fewer than 16 of each order are left there. */
  join(upload: string, lease: Lease): Promise<void>
  /** Reads all pieces. @throws Error if they are not those of a complete upload, or differ from their records. */
  read(upload: string, size: number, signal: AbortSignal): Promise<Readable>
  /**
   * Removes the objects of all pieces. Rows of those that did not count stay until the upload expires: a node that was
   * stopped could still store them, and be killed then.
   */
  clear(upload: string): Promise<void>
}

export function createPieces({
  database,
  storage,
  storedBytes,
}: {
  database: Database
  storage: Storage
  storedBytes: StoredBytes
}): Pieces {
  const removing = pLimit(PARALLEL)

  async function announce(piece: PieceRow, { fence }: Lease, payer: Payer | undefined): Promise<void> {
    // A piece that an earlier request could not store is charged already.
    const reserved = payer && (await findResumable(database, piece.upload))?.reserved
    const more = reserved === undefined ? 0 : Math.max(0, piece.start + piece.size - reserved)
    if (!payer || !more) {
      await transact(database, async (transaction) => {
        if (!(await requireFence(transaction, piece.upload, fence))) throw offsetMismatch()
        await announcePiece(transaction, piece)
      })
      return
    }
    await storedBytes.charge(payer, more, 'file', async (transaction, take) => {
      // First, because it locks the row: nobody can remove the upload before the charge is recorded.
      if (!(await countReserved(transaction, piece.upload, fence, { bytes: more }))) throw offsetMismatch()
      await announcePiece(transaction, piece)
      await take()
    })
  }

  async function put(
    staged: StagedFile,
    { upload, start }: { upload: string; start: number },
    lease: Lease,
    payer?: Payer,
  ): Promise<PieceRow> {
    const { size, sha256 = null } = staged
    const [, name] = upload.split('/')
    // No key is used twice: a later attempt has another fence.
    const key = `parts/${name}/${start}-${start + size}-${lease.fence}`
    const piece = { key, upload, start, size, sha256 }
    let announced = false
    try {
      await announce(piece, lease, payer)
      announced = true
      await storage.keep(staged, key, lease.lost)
      return piece
    } catch (error) {
      await staged.discard()
      if (announced) await drop([key])
      throw error
    }
  }

  async function drop(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await storage
        .remove(key)
        .then(() => deletePiece(database, key))
        .catch(() => {})
    }
  }

  /** Runs a transaction that makes these pieces count. If it was certainly rolled back, removes them. */
  async function change(pieces: readonly PieceRow[], work: (transaction: Database) => Promise<void>): Promise<void> {
    try {
      await transact(database, work)
    } catch (error) {
      // After another error it may have been committed.
      if (error instanceof ServiceError) await drop(pieces.map(({ key }) => key))
      throw error
    }
  }

  async function* readAll(pieces: readonly PieceRow[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const { key, size, sha256 } of pieces) {
      await using file = await storage.checkOut(key, { size, sha256 }, signal)
      yield* createReadStream(file.path)
    }
  }

  /** Replaces pieces in a row by one. */
  async function joinAll(small: readonly PieceRow[], upload: string, lease: Lease): Promise<void> {
    const staged = await storage.stage(Readable.from(readAll(small, lease.lost)), lease.lost, async () => {})
    const whole = await put(staged, { upload, start: small[0]!.start }, lease)
    await change([whole], async (transaction) => {
      if (!(await requireFence(transaction, upload, lease.fence))) throw offsetMismatch()
      for (const { key } of small) await setCounts(transaction, key, false)
      await setCounts(transaction, whole.key, true)
    })
    await drop(small.map(({ key }) => key))
  }

  return {
    put,
    drop,

    async count(pieces, { fence }) {
      const [first] = pieces
      if (!first) return
      const bytes = pieces.reduce((sum, { size }) => sum + size, 0)
      await change(pieces, async (transaction) => {
        if (!(await countReceived(transaction, first.upload, fence, { from: first.start, bytes })))
          throw offsetMismatch()
        for (const { key } of pieces) await setCounts(transaction, key, true)
      })
    },

    async join(upload, lease) {
      for (;;) {
        const small = smallAtEnd(await listPieces(database, upload, 2 * JOINED))
        if (small.length < JOINED) return
        await joinAll(small, upload, lease)
      }
    },

    async read(upload, size, signal) {
      const pieces = await listPieces(database, upload)
      let end = 0
      for (const piece of pieces) {
        if (piece.start !== end) throw new Error(`the pieces of a resumable upload have a gap or overlap at ${end}`)
        end += piece.size
      }
      if (end !== size) throw new Error(`the pieces of a resumable upload end at ${end} instead of ${size}`)
      return Readable.from(readAll(pieces, signal))
    },

    async clear(upload) {
      const keys = await listPieceKeys(database, upload)
      await Promise.all(keys.map((key) => removing(() => storage.remove(key))))
      await deleteCounting(database, upload)
    },
  }
}
