import type { Failure } from '../../kernel/contract.ts'

/** Reads from the last lines of a program of ours why it refused its file: `{"code":…,"message":…}`. */
export function told(lines: readonly string[]): Failure | undefined {
  const line = lines.findLast((line) => line.startsWith('{"code":'))
  return line === undefined ? undefined : (JSON.parse(line) as Failure)
}
