import type { Database } from '../database.ts'

/**
 * A row of the table `resumable_pieces`: an object in the storage with bytes of an upload, written before the object.
 */
export interface PieceRow {
  /** Storage key. */
  key: string
  upload: string
  /** Where it begins in the file. */
  start: number
  /** Bytes. */
  size: number
  /** SHA-256 in hexadecimal; null: not known. */
  sha256: string | null
}

const pieces = (database: Database) => database<PieceRow & { counts: number | boolean }>('resumable_pieces')

/** Announces a piece, which does not count yet. The transaction holds the lock of its upload. */
export async function announcePiece(transaction: Database, piece: PieceRow): Promise<void> {
  await pieces(transaction).insert({ ...piece, counts: 0 })
}

/** Makes a piece part of its upload, or no longer. */
export async function setCounts(transaction: Database, key: string, counts: boolean): Promise<void> {
  await pieces(transaction)
    .where({ key })
    .update({ counts: Number(counts) })
}

/** Lists the pieces of an upload that count, in order. @param last Only so many at the end. */
export async function listPieces(database: Database, upload: string, last?: number): Promise<PieceRow[]> {
  const query = pieces(database).where({ upload, counts: 1 }).orderBy('start', 'desc')
  return (await (last === undefined ? query : query.limit(last))).reverse()
}

/** Lists the keys of all pieces of an upload. */
export const listPieceKeys = (database: Database, upload: string): Promise<string[]> =>
  pieces(database).where({ upload }).pluck('key')

/** Deletes the row of a piece that does not count. */
export async function deletePiece(database: Database, key: string): Promise<void> {
  await pieces(database).where({ key, counts: 0 }).delete()
}

/** Deletes the rows of pieces that count: their objects are removed. */
export async function deleteCounting(database: Database, upload: string): Promise<void> {
  await pieces(database).where({ upload, counts: 1 }).delete()
}

export async function deletePieces(database: Database, upload: string): Promise<void> {
  await pieces(database).where({ upload }).delete()
}
