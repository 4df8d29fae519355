import type { Failure } from '../../kernel/contract.ts'

/** Reads why one of our programs refused its file: the last line `{"code":…,"message":…}` that it printed. */
export function refusalIn(lines: readonly string[]): Failure | undefined {
  const line = lines.findLast((line) => line.startsWith('{"code":'))
  try {
    return line === undefined ? undefined : (JSON.parse(line) as Failure)
  } catch {
    // The program crashed, and its stack trace quotes a document with such a line.
    return undefined
  }
}
