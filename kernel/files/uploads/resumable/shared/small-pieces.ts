import type { PieceRow } from '../../../../database/tables/resumable-pieces.ts'

/** So many small pieces in a row become one. */
export const JOINED = 16

/** Bytes from which on a piece stays as it is. */
const LARGE = 1024 ** 2

/** An order is a factor of 16, so 16 pieces of one order make a piece of the next. */
const orderOf = ({ size }: PieceRow) => (size >= LARGE ? Number.POSITIVE_INFINITY : Math.floor(Math.log2(size) / 4))

const LARGEST_ORDER = Math.log2(LARGE) / 4 - 1

/**
 * Returns the last pieces of which none is of a larger order than the last. If all parts of a client have about one
 * size, each byte is joined once per order: five times in parts of single bytes, once in parts of 64 KiB.
 */
export function smallAtEnd(pieces: readonly PieceRow[]): PieceRow[] {
  const most = Math.min(...pieces.slice(-1).map(orderOf), LARGEST_ORDER)
  return pieces.slice(pieces.findLastIndex((piece) => orderOf(piece) > most) + 1)
}
