/**
 * Names of lanes, in which those wait who share limits. A lane can lie in wider ones, as a network does in larger networks. Then
 * its name begins with theirs: `wide`, `wide.narrower`, `wide.narrower.narrow`.
 */

/** How many times as much as a lane the next wider one may have. */
export const WIDER = 4

/** Returns a lane and the wider ones in which it lies, the narrowest first. */
export function lanesAround(lane: string): string[] {
  const parts = lane.split('.')
  return parts.map((_, level) => parts.slice(0, parts.length - level).join('.'))
}

/**
 * Returns SQL that conversions in a lane meet, and its values.
 *
 * @param level 0: the lane itself. 1, 2: the next wider ones, with all that lie in them.
 */
export function inLane(lane: string, level: number): { sql: string; values: string[] } {
  const wide = lanesAround(lane)[level]!
  if (level === 0) return { sql: 'lane = ?', values: [wide] }
  // The slash follows the dot in ASCII.
  return { sql: 'lane > ? and lane < ?', values: [`${wide}.`, `${wide}/`] }
}

/** The same for the widest lane in which a lane lies. */
export const inWidestLane = (lane: string) => inLane(lane, lanesAround(lane).length - 1)
