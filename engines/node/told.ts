import type { Failure } from '../../kernel/contract.ts'

/** Reads why a program of ours refused its file: `{"code":…,"message":…}`, the last such line that it printed. */
export function told(lines: readonly string[]): Failure | undefined {
  const line = lines.findLast((line) => line.startsWith('{"code":'))
  try {
    return line === undefined ? undefined : (JSON.parse(line) as Failure)
  } catch {
    // The program crashed, and a line of its stack trace looks alike.
    return undefined
  }
}
