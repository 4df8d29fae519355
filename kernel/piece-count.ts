/** Pieces of a body that may be of any size, since short texts may be written word by word. */
const FREE_PIECES = 1000

/** Bytes that the pieces of a longer body must have on average. */
export const MIN_MEAN_PIECE = 32

/**
 * Returns a function that counts the pieces of one body and returns whether they are absurdly small by now. Each piece
 * costs a call of Node's parser and a buffer of its own, however few bytes it has.
 */
export function createPieceCount(): (length: number) => boolean {
  let pieces = 0
  let bytes = 0
  return (length) => {
    pieces++
    bytes += length
    return pieces > FREE_PIECES && bytes < pieces * MIN_MEAN_PIECE
  }
}
