import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import type { Payer } from '../../../accounts/owner.ts'
import type { StoredBytes } from '../../../accounts/stored-bytes.ts'
import type { Database } from '../../../database/database.ts'
import {
  announcePiece,
  deleteCounting,
  deletePiece,
  listPieceKeys,
  listPieces,
  type PieceRow,
  setCounts,
} from '../../../database/tables/resumable-pieces.ts'
import { countReceived, countReserved, requireFence } from '../../../database/tables/resumable-uploads.ts'
import type { Transact } from '../../../database/transact.ts'
import { ServiceError } from '../../../errors.ts'
import type { StagedFile, Storage } from '../../../storage/storage.ts'
import { offsetMismatch } from '../refusals.ts'
import type { Lease } from './leases.ts'

/** Bytes of a piece, at most, as it arrives: as many as S3 takes in one request. */
export const PIECE = 8 * 1024 ** 2

/** Pieces from this size on stay as they are. */
const LARGE = 1024 ** 2

/** So many small pieces in a row become one. */
const JOINED = 16

/** Objects that are removed at the same time. */
const PARALLEL = 8

/** Pieces of uploads: objects in the storage, each with a row that was written before it. */
export interface Pieces {
  /**
   * Stores a staged piece, which does not count yet. @param payer Who is charged for it; undefined: its bytes are charged.
   * @throws ServiceError OFFSET_MISMATCH if the lease was lost; QUOTA_EXCEEDED, NOT_READY. Nothing is left then.
   */
  put(staged: StagedFile, at: { upload: string; start: number }, lease: Lease, payer?: Payer): Promise<PieceRow>
  /** Makes pieces in a row part of their upload. @throws ServiceError OFFSET_MISMATCH if the lease was lost. */
  count(pieces: readonly PieceRow[], lease: Lease): Promise<void>
  /** Removes pieces that do not count. What cannot be removed now is removed with the upload. */
  drop(keys: readonly string[]): Promise<void>
  /** Joins small pieces at the end of an upload, or does nothing. */
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
  transact,
  storage,
  storedBytes,
}: {
  database: Database
  transact: Transact
  storage: Storage
  storedBytes: StoredBytes
}): Pieces {
  const removing = pLimit(PARALLEL)

  async function announce(piece: PieceRow, { fence }: Lease, payer: Payer | undefined): Promise<void> {
    const insert = announcePiece(piece, fence)
    if (!payer) {
      return transact(function* () {
        if (!(yield insert)) throw offsetMismatch()
      })
    }
    await storedBytes.charge(payer, piece.size, 'file', function* (take) {
      if (!(yield insert)) throw offsetMismatch()
      yield countReserved(piece.upload, fence, piece.size, null)
      yield* take()
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
  async function change(pieces: readonly PieceRow[], work: Parameters<Transact>[0]): Promise<void> {
    try {
      await transact(work)
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

  return {
    ...{ put, drop },

    async count(pieces, { fence }) {
      const [first] = pieces
      if (!first) return
      const bytes = pieces.reduce((sum, { size }) => sum + size, 0)
      await change(pieces, function* () {
        if (!(yield countReceived(first.upload, fence, first.start, bytes))) throw offsetMismatch()
        for (const { key } of pieces) yield setCounts(key, true)
      })
    },

    async join(upload, lease) {
      const small = smallAtEnd(await listPieces(database, upload, 2 * JOINED))
      if (small.length < JOINED) return
      const staged = await storage.stage(Readable.from(readAll(small, lease.lost)), lease.lost, async () => {})
      const whole = await put(staged, { upload, start: small[0]!.start }, lease)
      await change([whole], function* () {
        if (!(yield requireFence(upload, lease.fence))) throw offsetMismatch()
        for (const { key } of small) yield setCounts(key, false)
        yield setCounts(whole.key, true)
      })
      await drop(small.map(({ key }) => key))
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

/**
 * Returns the last pieces of which none is of a larger order than the last. An order is a factor of 16, so each byte is joined
 * once per order: five times if a client sends single bytes, once if it sends parts of 64 KiB.
 */
function smallAtEnd(pieces: readonly PieceRow[]): PieceRow[] {
  const orderOf = ({ size }: PieceRow) => (size >= LARGE ? Number.POSITIVE_INFINITY : Math.floor(Math.log2(size) / 4))
  const most = Math.min(...pieces.slice(-1).map(orderOf), LARGEST_ORDER)
  return pieces.slice(pieces.findLastIndex((piece) => orderOf(piece) > most) + 1)
}

const LARGEST_ORDER = Math.log2(LARGE) / 4 - 1
