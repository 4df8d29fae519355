import { buffer } from 'node:stream/consumers'
import type { Member } from './entry.ts'
import { start } from './programs.ts'

/** What lsar says of a file. */
interface Listed {
  XADFileName: string
  XADIsEncrypted?: number
  RAR5RedirectionType?: number
  XADLinkDestination?: string
}

/** A copy of an earlier file, without data (RAR 5.0 archive format, redirection types). No program reads it as such. */
const COPY = 5

/** What the headers of a RAR archive say. */
export interface RarHeaders {
  encrypted: boolean
  /** The files that copies are made of, by the name of the copy. */
  copies: ReadonlyMap<string, string>
}

/** Lists a RAR archive. @throws Refusal if its headers are encrypted */
export async function rarHeaders(path: string, scratch: string): Promise<RarHeaders> {
  const { output, ended } = start(['lsar', '-j', path], scratch, 'ignore')
  const [json] = await Promise.all([buffer(output), ended])
  const list: Listed[] = JSON.parse(json.toString()).lsarContents
  const copies = list.filter(({ RAR5RedirectionType: type }) => type === COPY)
  return {
    encrypted: list.some(({ XADIsEncrypted: encrypted }) => encrypted),
    copies: new Map(copies.map(({ XADFileName: name, XADLinkDestination: target = '' }) => [name, target])),
  }
}

/** Whether a RAR is one volume of several, by the flags of its first block (RAR 5.0 archive format; RAR 4 technote). */
export function isVolume(head: Buffer): boolean {
  if (head[6] === 0) return (head.readUInt16LE(10) & 1) !== 0
  // A checksum, the size and the type come first. The size of an extra area has one byte for each seven bits.
  let at = 15
  if (head[14]! & 1) while (head[at++]! & 0x80);
  return (head[at]! & 1) !== 0
}

/** The same entries. Copies of others are links to them. */
export async function* withCopies(
  members: AsyncIterable<Member>,
  copies: RarHeaders['copies'],
): AsyncGenerator<Member> {
  for await (const { entry, body } of members) {
    const original = entry.size === 0 ? copies.get(entry.name.toString('utf8')) : undefined
    if (original === undefined) yield { entry, body }
    else yield { entry: { ...entry, type: 'link', target: Buffer.from(original) }, body }
  }
}
