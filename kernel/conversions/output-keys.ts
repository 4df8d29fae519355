import type { ConversionRow } from '../database/tables/conversions.ts'
import { storageKey } from '../storage/keys.ts'

type Named = Pick<ConversionRow, 'id' | 'name' | 'created_at' | 'fence'>

/** The storage key of a claim's result. From the second claim on it carries the fence, so none overwrites another's. */
export function outputKey({ id, name, created_at, fence }: Named, extension: string): string {
  const claim = fence > 1 ? `-${fence}` : ''
  return storageKey('outputs', `${id.replace('conv_', '')}${claim}`, name, extension, Number(created_at))
}

/** Where the result of a row's latest claim may lie: a file of the target format, or a zip of pages. */
export const claimKeys = (row: Named & Pick<ConversionRow, 'to_format'>): string[] => [
  outputKey(row, row.to_format),
  outputKey(row, 'zip'),
]

/** Where any result of a conversion may lie: a claim that was cut off, or is over, may have left one. */
export function outputKeys(row: Named & Pick<ConversionRow, 'output_key' | 'to_format'>): Set<string> {
  const recorded = row.output_key ? [row.output_key] : []
  // Completed by its only claim: there is nothing else.
  if (row.output_key && row.fence <= 1) return new Set(recorded)
  const claims = Array.from({ length: row.fence }, (_, index) => claimKeys({ ...row, fence: index + 1 }))
  return new Set([...recorded, ...claims.flat()])
}
