import type { Feature } from '../family.ts'

type Rule = Feature['rule']

/** A rule for targets that keep a feature. `dropped` lists others, or says that all others do drop it. */
export const among =
  (kept: readonly string[], dropped: readonly string[] | 'dropped' = []): Rule =>
  (_, to) =>
    kept.includes(to) ? 'kept' : dropped === 'dropped' || dropped.includes(to) ? 'dropped' : undefined

/** Whether two numbers differ by `slack` at most. */
export const near = (wanted: number, got: number | undefined, slack: number) => Math.abs(wanted - (got ?? 0)) <= slack

/** Whether the numbers of a list do. */
export const allNear = (wanted: readonly number[], got: readonly number[] | undefined, slack: (of: number) => number) =>
  wanted.every((value, at) => near(value, got?.[at], slack(value)))

/** Says that a result has another value. */
export const instead = (wanted: unknown, got: unknown, unit = '') =>
  `${typeof got === 'string' ? JSON.stringify(got) : got}${unit} instead of ${typeof wanted === 'string' ? JSON.stringify(wanted) : wanted}`

/** Says how a value differs. */
export const equal = (wanted: unknown, got: unknown) => (`${wanted}` === `${got}` ? undefined : instead(wanted, got))

/** Says what a result lacks. `is` compares. */
export function lacks<One>(
  wanted: readonly One[],
  got: readonly One[] | undefined,
  is: (one: One, other: One) => boolean = (one, other) => one === other,
): string | undefined {
  const lost = wanted.filter((one) => !got?.some((other) => is(one, other)))
  const listed = (values: readonly One[] = []) => values.slice(0, 9).map((one) => JSON.stringify(one))
  return lost.length > 0 ? `no ${listed(lost).join(', ')} among ${listed(got).join(', ')}` : undefined
}

/** The same for lists that are shown as text first. */
export const lacksShown = <One>(shown: (one: One) => string, wanted: readonly One[], got: readonly One[] = []) =>
  lacks(wanted.map(shown), got.map(shown))
