import type { BatchRow } from '../database/tables/batches.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { portableName } from '../files/uploads/portable-name.ts'

/** A result in the ZIP of a batch. */
interface BatchResult {
  /** Relative path in the ZIP, unlike all others, also where capitals do not count. */
  path: string
  key: string
  /** Bytes. */
  size: number
  /** Epoch milliseconds. */
  modified: number
}

/** What the ZIP of a batch holds. */
export interface BatchResults {
  owner: string
  /** When the batch was requested, in epoch milliseconds. */
  createdAt: number
  results: BatchResult[]
  /** The conversions that failed: the relative path of each source, and why. */
  failures: { path: string; code: string; message: string }[]
}

/** Collects what has become of the conversions of a batch, in their order. */
export function resultsOf(
  { owner, created_at }: Pick<BatchRow, 'owner' | 'created_at'>,
  rows: readonly ConversionRow[],
): BatchResults {
  const failed = rows.filter((row) => row.status === 'failed')
  const pathOf = uniquePaths(failed.length ? [FAILED_LIST] : [])
  const completed = rows.filter((row) => row.status === 'completed')
  return {
    owner,
    createdAt: created_at,
    results: completed.flatMap(({ output_key: key, ...row }) => {
      if (!key) return []
      const path = pathOf(row.folder ?? '', row.name, row.output_extension ?? '')
      return { path, key, size: Number(row.output_size), modified: Number(row.completed_at) }
    }),
    failures: failed.map((row) => ({
      path: `${row.folder ?? ''}${portableName(`${row.name}.${row.from_format}`)}`,
      code: row.error_code ?? 'INTERNAL_SERVER_ERROR',
      message: row.error_message ?? '',
    })),
  }
}

/** The member of the ZIP that lists what failed. */
export const FAILED_LIST = 'failed.txt'

/** Maps names to one text that some file systems take for the same: also `ς` and `σ`, and `ß` and `ẞ`. */
const foldCase = (path: string) => path.toLowerCase().toUpperCase()

/** Makes paths that are used once: the second `a.png` is `a (2).png`. @param taken Paths that are not free. */
function uniquePaths(taken: readonly string[]) {
  const used = new Set(taken.map(foldCase))
  /** The last number of each path that was asked for more than once, so that many equal names cost no more. */
  const numbers = new Map<string, number>()
  return (folder: string, stem: string, extension: string): string => {
    const wanted = foldCase(`${folder}${portableName(`${stem}.${extension}`)}`)
    for (let number = numbers.get(wanted) ?? 1; ; number++) {
      const path = `${folder}${portableName(number > 1 ? `${stem} (${number}).${extension}` : `${stem}.${extension}`)}`
      const key = foldCase(path)
      if (used.has(key)) continue
      used.add(key)
      numbers.set(wanted, number + 1)
      return path
    }
  }
}
