import type { FailureCode } from '../../../kernel/contract.ts'

/** Tells why a file is refused, as `told` reads it, and ends the program. The message is one sentence without paths. */
export function refuse(message: string, code: FailureCode = 'CONVERSION_ERROR'): never {
  console.error(JSON.stringify({ code, message }))
  process.exit(1)
}
