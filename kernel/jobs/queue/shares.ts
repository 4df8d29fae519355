import { WIDER } from '../../database/lanes.ts'

/*
 * How many jobs of a lane run at the same time. `level` is 0 for the lane of an owner, 1 and 2 for the wider ones in
 * which it lies: they may have more, but not all places, if there are several.
 */

/** Returns a share of places: half of them, so that a job of another lane finds one; in wider lanes 3/4 and 7/8. */
export const shareOf = (places: number, level = 0): number =>
  Math.max(1, Math.ceil(places / 2), Math.floor(places * (1 - 0.5 ** (level + 1))))

/** Returns how many heavy jobs a plan allows. @param plan For one lane; null: any number. */
export const planShare = (plan: number | null, level = 0): number => (plan ?? Infinity) * WIDER ** level

/** Returns how many of these places heavy jobs may have: an owner all of them, since the plan limits it. */
export const heavyShareOf = (places: number, level = 0): number =>
  level === 0 ? Math.max(1, places) : shareOf(places, level)
