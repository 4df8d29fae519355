import type { ConversionRow } from '../database/tables/conversions.ts'
import { storageKey } from '../files/storage/keys.ts'

type Named = Pick<ConversionRow, 'id' | 'name' | 'created_at' | 'fence'>

/** Storage key of a claim's result. From the second claim on it includes the fence, so no claim overwrites another. */
export function outputKey({ id, name, created_at, fence }: Named, extension: string): string {
  const claim = fence > 1 ? `-${fence}` : ''
  return storageKey('outputs', `${id.replace('conv_', '')}${claim}`, name, extension, Number(created_at))
}

/** Possible storage keys for the result of a row's latest claim: a file of the target format, or a zip of pages. */
export const claimKeys = (row: Named & Pick<ConversionRow, 'to_format'>): string[] => [
  outputKey(row, row.to_format),
  outputKey(row, 'zip'),
]

/** Possible storage keys for all results of a conversion: an interrupted or superseded claim may have left one. */
export function outputKeys(row: Named & Pick<ConversionRow, 'output_key' | 'to_format'>): Set<string> {
  const recorded = row.output_key ? [row.output_key] : []
  // The only claim completed it, so no other result exists.
  if (row.output_key && row.fence <= 1) return new Set(recorded)
  const claims = Array.from({ length: row.fence }, (_, index) => claimKeys({ ...row, fence: index + 1 }))
  return new Set([...recorded, ...claims.flat()])
}
