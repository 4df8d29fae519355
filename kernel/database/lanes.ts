import type { Knex } from 'knex'

/**
 * Names of lanes, in which those wait who share limits. A lane can lie in wider ones, as a network does in larger
 * networks. Then its name begins with theirs: `wide`, `wide.narrower`, `wide.narrower.narrow`.
 */

/** How many times as much as a lane the next wider one may have. */
export const WIDER = 4

/** Returns a lane and the wider ones in which it lies, the narrowest first. */
export function lanesAround(lane: string): string[] {
  const parts = lane.split('.')
  return parts.map((_, level) => parts.slice(0, parts.length - level).join('.'))
}

/**
 * Restricts a query to the conversions in a lane.
 *
 * @param level 0: the lane itself. 1, 2: the next wider ones, with all that lie in them.
 */
export function whereInLane(query: Knex.QueryBuilder, lane: string, level: number): Knex.QueryBuilder {
  const wide = lanesAround(lane)[level] ?? lane
  // The slash follows the dot in ASCII.
  return level === 0 ? query.where('lane', wide) : query.where('lane', '>', `${wide}.`).where('lane', '<', `${wide}/`)
}
