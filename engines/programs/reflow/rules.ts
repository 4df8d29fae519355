import type { Box, Drawn, Page, Stroke } from './model.ts'

/** A horizontal or vertical line: its place across, and from where to where it runs. */
export interface Rule {
  at: number
  from: number
  to: number
  /** Its width and colour; none for the side of a box. */
  stroke?: Stroke
}

export interface Rules {
  across: Rule[]
  down: Rule[]
}

/** How far lines may be apart that are meant to be one, or to touch. */
export const NEAR = 3

/** Joins lines at one place that overlap or nearly touch. */
function joined(rules: readonly Rule[]): Rule[] {
  const result: Rule[] = []
  for (const rule of rules.toSorted((a, b) => a.at - b.at || a.from - b.from)) {
    const same = result.find(
      (other) => Math.abs(other.at - rule.at) <= 1.6 && rule.from <= other.to + NEAR && rule.to >= other.from - NEAR,
    )
    if (same) Object.assign(same, { from: Math.min(same.from, rule.from), to: Math.max(same.to, rule.to) })
    else result.push({ ...rule })
  }
  return result.length < rules.length ? joined(result) : result
}

/** Lines that are drawn on a page. The sides of filled boxes count if `sides` is set. */
export function rulesOf(page: Page, sides = false): Rules {
  const across: Rule[] = []
  const down: Rule[] = []
  const add = ([x0, y0, x1, y1, colour]: Drawn | readonly [...Box, undefined?]) => {
    const stroke = colour && { stroke: { width: Math.max(0.25, Math.min(x1 - x0, y1 - y0)), colour } }
    if (x1 - x0 >= y1 - y0) across.push({ at: (y0 + y1) / 2, from: x0, to: x1, ...stroke })
    else down.push({ at: (x0 + x1) / 2, from: y0, to: y1, ...stroke })
  }
  for (const rule of page.rules) if (Math.max(rule[2] - rule[0], rule[3] - rule[1]) > 1) add(rule)
  if (sides)
    for (const [x0, y0, x1, y1] of page.boxes) {
      // The paper, or what text stands on.
      if (y1 - y0 > 0.15 * (page.bounds[3] - page.bounds[1])) continue
      add([x0, y0, x1, y0])
      add([x0, y1, x1, y1])
      add([x0, y0, x0, y1])
      add([x1, y0, x1, y1])
    }
  const long = ({ from, to }: Rule) => to - from > 5
  return { across: joined(across).filter(long), down: joined(down).filter(long) }
}

/** Groups of lines that cross or touch each other. */
export function groups({ across, down }: Rules): Rules[] {
  const left = [...across.map((rule) => ({ rule, flat: true })), ...down.map((rule) => ({ rule, flat: false }))]
  const touches = (a: Rule, b: Rule) =>
    a.at >= b.from - NEAR && a.at <= b.to + NEAR && b.at >= a.from - NEAR && b.at <= a.to + NEAR
  const found: Rules[] = []
  while (left.length > 0) {
    const group = [left.pop()!]
    for (const one of group)
      for (let index = left.length - 1; index >= 0; index--)
        if (left[index]!.flat !== one.flat && touches(left[index]!.rule, one.rule)) group.push(...left.splice(index, 1))
    const of = (flat: boolean) => group.filter((one) => one.flat === flat).map(({ rule }) => rule)
    found.push({ across: of(true), down: of(false) })
  }
  return found
}

/** Sorted places, with those that are nearly equal as one. */
export function places(values: readonly number[], near = NEAR): number[] {
  const result: number[] = []
  for (const value of values.toSorted((a, b) => a - b)) if (value - (result.at(-1) ?? -1e9) > near) result.push(value)
  return result
}
