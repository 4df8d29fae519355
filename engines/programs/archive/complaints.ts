import { Refusal } from '../refusal/refusal.ts'

export const encrypted = () => new Refusal('The archive is encrypted and asks for a password', 'ENCRYPTED_INPUT')

/** The archive cannot be read. The program that reads it may say why more exactly. */
export class Damaged extends Refusal {
  constructor(cause?: string) {
    super('The archive is damaged, incomplete or compressed by a method that is not supported')
    this.cause = cause
  }
}

export const damaged = (cause?: string) => new Damaged(cause)

/** How programs complain about passwords, anywhere in a line. */
const PASSWORD =
  /Enter pass(phrase|word)|(is|password) encrypted|bad password|Encryption is not supported|encryption support unavailable|Wrong password|(requires|needs) a password/i

/** What a program's complaint means for clients; undefined when it is none of the known ones. */
export function meaning(said: string): Refusal | undefined {
  if (PASSWORD.test(said)) return encrypted()
  if (/No space left|File too large|Disk quota/i.test(said))
    return new Refusal('The archive needs more disk space than a conversion may use', 'RESOURCE_LIMIT')
  if (/out of memory|cannot allocate|memory (usage )?limit/i.test(said))
    return new Refusal('The archive needs more memory than a conversion may use', 'RESOURCE_LIMIT')
  return undefined
}
