import { known } from './known.ts'
import type { Outcome } from './trial.ts'

/** Sums up a run by family: formats, files, conversions, features checked, failures, and each failure in a line. */
export function summary(outcomes: readonly Outcome[]): string {
  const families = [...Map.groupBy(outcomes, ({ family }) => family)].map(([family, own]) => {
    const count = (values: readonly string[]) => new Set(values).size
    const failed = own.filter(({ passed }) => !passed)
    const checks = [
      ...Map.groupBy(
        own.flatMap(({ kept }) => kept),
        (name) => name,
      ),
    ]
    const drops = [
      ...Map.groupBy(
        own.flatMap(({ dropped }) => dropped),
        (name) => name,
      ),
    ]
    const listed = (some: readonly [string, readonly string[]][]) =>
      some.map(([name, all]) => `${name} ${all.length}`).join(', ')
    return [
      `${family}: ${count(own.map(({ from }) => from))} formats, ${count(own.map(fileOf))} files by ${count(own.map(({ maker }) => maker))} makers, ${own.length} conversions, ${failed.length} failed`,
      `  compared: ${listed(checks)}`,
      `  dropped on purpose: ${listed(drops) || 'nothing'}`,
    ].join('\n')
  })
  const failures = outcomes
    .filter(({ passed }) => !passed)
    .map(
      ({ key, engine, complaints }) =>
        `${key in known ? 'KNOWN' : 'FAILED'} ${key} by ${engine}: ${complaints.join('; ')}`,
    )
  return [...failures, ...families].join('\n')
}

const fileOf = ({ key }: Outcome) => key.slice(0, key.lastIndexOf('>'))
