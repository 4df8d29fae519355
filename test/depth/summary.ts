import { known } from './known.ts'
import type { Outcome } from './trial.ts'

const counted = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ${all.length}`).join(', ')

/** Sums up a run by family: formats, files, conversions, features checked, failures, and each failure in a line. */
export function summary(outcomes: readonly Outcome[]): string {
  const families = [...Map.groupBy(outcomes, ({ family }) => family)].map(([family, own]) => {
    const count = (of: (outcome: Outcome) => string) => new Set(own.map(of)).size
    const formats = count(({ from }) => from)
    const files = count(fileOf)
    const failed = own.filter(({ passed }) => !passed).length
    return [
      `${family}: ${formats} formats, ${files} files, ${own.length} conversions, ${failed} failed`,
      `  compared: ${counted(own.flatMap(({ kept }) => kept))}`,
      `  dropped on purpose: ${counted(own.flatMap(({ dropped }) => dropped)) || 'nothing'}`,
    ].join('\n')
  })
  const failures = outcomes
    .filter(({ passed }) => !passed)
    .map(({ key, engine, complaints }) => {
      const kind = key in known ? 'KNOWN' : 'FAILED'
      return `${kind} ${key} by ${engine}: ${complaints.join('; ')}`
    })
  return [...failures, ...families].join('\n')
}

const fileOf = ({ key }: Outcome) => key.slice(0, key.lastIndexOf('>'))
