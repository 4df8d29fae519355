import { Refusal } from '../refusal/refusal.ts'

export const encrypted = () => new Refusal('The archive is encrypted and asks for a password', 'ENCRYPTED_INPUT')

/** The archive cannot be read. The program that reads it may say why more exactly. */
export class Damaged extends Refusal {
  constructor(cause?: string) {
    super('The archive is damaged, incomplete or compressed by a method that is not supported')
    this.cause = cause
  }
}

/** How programs complain about passwords, anywhere in a line. */
const PASSWORD = [
  /Enter pass(phrase|word)|Wrong password|bad password|(requires|needs) a password/i,
  /(is|password) encrypted|Encryption is not supported|encryption support unavailable/i,
]

/** What a program's complaint means for clients; undefined when it is none of the known ones. */
export function meaning(complaint: string): Refusal | undefined {
  if (PASSWORD.some((pattern) => pattern.test(complaint))) return encrypted()
  if (/No space left|File too large|Disk quota/i.test(complaint))
    return new Refusal('The archive needs more disk space than a conversion may use', 'RESOURCE_LIMIT')
  if (/out of memory|cannot allocate|memory (usage )?limit/i.test(complaint))
    return new Refusal('The archive needs more memory than a conversion may use', 'RESOURCE_LIMIT')
  return undefined
}

/** bsdtar's complaint about names that are not in UTF-8 where the format asks for it. As a stream, it stops there. */
export const NOT_UTF8 = /Error reading archive .*: (Path|Link)name can't be converted from UTF-8/

/**
 * Warnings of bsdtar about names that it passes on anyway and about devices; of gzip about bytes behind its data; of
 * unar about days that are in no calendar, such as those of DOS without a date.
 */
export const HARMLESS = [
  /Can't translate (path|link)name .* to UTF-8/,
  /^bsdtar: (Path|Link)name can't be converted from UTF-8/,
  /Removing leading '\/'/,
  /: Can't create '.*': Operation not permitted$/,
  /^bsdtar: Error exit delayed/,
  /trailing garbage ignored$/,
  /NSCalendarDate\.m: \d+\. .* invalid \w+ given/,
]
