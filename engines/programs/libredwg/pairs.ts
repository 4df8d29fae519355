/** A group code and its value. */
export type Pair = [code: number, value: string]

/** The pairs of a text DXF. A line that should be a code but is not belongs to a value with line breaks. */
export function pairsOf(text: string): Pair[] {
  const lines = text.split(/\r?\n/)
  const pairs: Pair[] = []
  for (let at = 0; at + 1 < lines.length; ) {
    const code = /^\s*(-?\d{1,4})\s*$/.exec(lines[at]!)?.[1]
    if (code === undefined) at++
    else {
      pairs.push([Number(code), lines[at + 1]!])
      at += 2
    }
  }
  return pairs
}

/** Text DXF of pairs. */
export const textOf = (pairs: readonly Pair[]) =>
  `${pairs.map(([code, value]) => `${String(code).padStart(3)}\n${value}`).join('\n')}\n`
