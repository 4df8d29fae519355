/** Returns minimum, median and maximum of some figures. */
export function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]!, max: sorted.at(-1)! }
}

export interface Goal {
  /** The measured quantity, its unit, and its baseline. */
  name: string
  unit: string
  ours: readonly number[]
  bare?: readonly number[]
  /** The limit for the ratio of the medians, or for the median itself if there is no baseline. */
  atMost?: number
  atLeast?: number
}

/**
 * Prints one line per measure: our minimum, median and maximum, the baseline's median, the paired ratio, and the goal.
 */
export function print(goals: readonly Goal[]): boolean {
  let allMet = true
  const round = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))
  for (const { name, unit, ours, bare, atMost, atLeast } of goals) {
    const { min, median, max } = spread(ours)
    const ratios = bare?.map((value, n) => ours[Math.min(n, ours.length - 1)]! / value)
    const judged = ratios ? spread(ratios).median : median
    const met = (atMost === undefined || judged <= atMost) && (atLeast === undefined || judged >= atLeast)
    allMet &&= met
    const bounds = [atLeast !== undefined && `≥ ${atLeast}`, atMost !== undefined && `≤ ${atMost}`].filter(Boolean)
    const goal = bounds.join(' and ') || 'told'
    const ratio = ratios
      ? ` bare ${round(spread(bare!).median)}, ratio ${round(judged)} [${round(spread(ratios).min)}–${round(spread(ratios).max)}]`
      : ''
    console.log(
      `${met ? 'met   ' : 'MISSED'} ${name}: ${round(median)} ${unit} [${round(min)}–${round(max)}]${ratio}, goal ${goal}`,
    )
  }
  return allMet
}
