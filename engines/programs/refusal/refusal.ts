import type { FailureCode } from '../../../kernel/contract.ts'

/** Why one of our programs refuses its file. The message is one sentence without paths; clients read it. */
export class Refusal extends Error {
  readonly code: FailureCode

  constructor(message: string, code: FailureCode = 'CONVERSION_ERROR') {
    super(message)
    this.code = code
  }
}

/**
 * Prints why a program fails, as `refusalIn` reads it, and sets exit code 1. Errors other than refusals go to the
 * operator's log, and clients read `otherwise`. If that is empty, clients read that the file could not be read.
 */
export function report(error: unknown, otherwise = ''): void {
  if (!(error instanceof Refusal)) console.error(error)
  const { code, message } = error instanceof Refusal ? error : new Refusal(otherwise)
  console.error(JSON.stringify({ code, message }))
  process.exitCode = 1
}

/** Prints why a file is refused, and ends the program at once. */
export function refuse(message: string, code?: FailureCode): never {
  report(new Refusal(message, code))
  process.exit()
}
