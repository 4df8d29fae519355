/**
 * Returns the candidate that a misspelt word most likely means, if one is close.
 *
 * @param maxEdits Maximum edits for a candidate of the given length. Default: two or a third of the length, if that is
 * more.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  maxEdits = (length: number) => Math.max(2, Math.floor(length / 3)),
): string | undefined {
  const measured = candidates.map((candidate) => ({ candidate, edits: distance(word, candidate) }))
  const best = measured.sort((a, b) => a.edits - b.edits)[0]
  return best && best.edits <= maxEdits(best.candidate.length) ? best.candidate : undefined
}

/** Levenshtein distance, ignoring case. Uses only the first 64 characters of each word. */
function distance(from: string, to: string): number {
  const a = from.slice(0, 64).toLowerCase()
  const b = to.slice(0, 64).toLowerCase()
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  let left = b.length
  for (let i = 0; i < a.length; i++) {
    left = i + 1
    let corner = i
    row = row.map((above, j) => {
      if (j > 0) left = Math.min(left + 1, above + 1, corner + (a[i] === b[j - 1] ? 0 : 1))
      corner = above
      return left
    })
  }
  return left
}
