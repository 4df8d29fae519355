import type { Failure } from '../../../kernel/contract.ts'

/** Why a file is refused: a code of the contract, and one sentence without paths. */
export class Refusal extends Error {
  readonly code: Failure['code']

  constructor(code: Failure['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const encrypted = () => new Refusal('ENCRYPTED_INPUT', 'The archive is encrypted and asks for a password')

/** What cannot be read: the program that reads it may know better why. */
export class Damaged extends Refusal {
  constructor(cause?: string) {
    super('CONVERSION_ERROR', 'The archive is damaged, incomplete or packed by a method that is not supported')
    this.cause = cause
  }
}

export const damaged = (cause?: string) => new Damaged(cause)

/** What programs say about passwords, also in the middle of a line. */
const PASSWORD =
  /Enter pass(phrase|word)|(is|password) encrypted|bad password|Encryption is not supported|encryption support unavailable|Wrong password|(requires|needs) a password/i

/** What a program's complaint means to whoever sent the file. Undefined: nothing to be told apart. */
export function meaning(said: string): Refusal | undefined {
  if (PASSWORD.test(said)) return encrypted()
  if (/No space left|File too large|Disk quota/i.test(said))
    return new Refusal('RESOURCE_LIMIT', 'The archive needs more disk space than a conversion may use')
  if (/out of memory|cannot allocate|memory (usage )?limit/i.test(said))
    return new Refusal('RESOURCE_LIMIT', 'The archive needs more memory than a conversion may use')
  return undefined
}
