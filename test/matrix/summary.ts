import type { Outcome } from './trial.ts'
import type { Verdict } from './verdict.ts'

const table = (rows: readonly (readonly (string | number)[])[]) =>
  rows
    .map((row) => `  ${row.map((cell, index) => String(cell).padEnd(index ? 10 : 24)).join(' ')}`.trimEnd())
    .join('\n')

const share = (numbers: readonly number[], part: number) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? 0

/** Lists the worst pairs by one measure: the lowest values, or the highest for drift. */
function worst(passed: readonly Outcome[], title: string, measure: keyof Verdict, digits: number): string[] {
  const sign = measure === 'drift' ? -1 : 1
  const rows = passed
    .filter((outcome) => outcome[measure] !== undefined)
    .sort((a, b) => sign * (a[measure]! - b[measure]!))
    .slice(0, 15)
    .map((outcome) => [outcome.key, outcome[measure]!.toFixed(digits), outcome.engine])
  return rows.length ? [title, table(rows)] : []
}

/** Summarises a run: failures, the least alike and the slowest pairs, times by engine. */
export function summary(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ passed }) => !passed)
  const passed = outcomes.filter(({ passed }) => passed)
  const slow = [...passed].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 10)
  const engines = [...Map.groupBy(passed, ({ engine }) => engine)].map(([engine, cases]) => {
    const times = cases.map(({ milliseconds }) => milliseconds)
    return [engine, cases.length, share(times, 0.5), share(times, 0.95), Math.max(...times)]
  })
  return [
    ...worst(passed, 'Least alike, dB:', 'psnr', 1),
    ...worst(passed, 'Least of the words, share:', 'recall', 3),
    ...worst(passed, 'Furthest from their length, s:', 'drift', 3),
    'Slowest, ms:',
    table(slow.map(({ key, milliseconds, engine }) => [key, milliseconds, engine])),
    'Engine, cases, median ms, 95 %, longest:',
    table(engines),
    ...failed.map(({ key, engine, complaints }) => `FAILED ${key} by ${engine}: ${complaints.join('; ')}`),
    `${passed.length} passed, ${failed.length} failed`,
  ].join('\n')
}
