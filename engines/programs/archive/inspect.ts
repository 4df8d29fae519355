import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { text } from 'node:stream/consumers'
import { Refusal } from '../refusal/refusal.ts'
import { Damaged, encrypted } from './complaints.ts'
import type { Member } from './entry.ts'
import { bytesAt, isCutOff, isUdf } from './iso.ts'
import { start } from './programs.ts'
import { isVolume, rarHeaders, withCopies } from './rar.ts'
import type { Source, Spec } from './spec.ts'
import { checked, ZIP, zipDirectory } from './zip-directory.ts'

/** How to read an input. */
export interface Inspected {
  source: Source
  /** Completes or checks the members by what the archive's directory says. */
  amend: (members: AsyncIterable<Member>) => AsyncIterable<Member>
}

/** Bytes that tell the format and its variant. */
const HEAD = 64

/** Decides how to read an input. Refuses one that no program can read. */
export async function inspect(spec: Spec): Promise<Inspected> {
  await using file = await open(spec.input)
  const head = await bytesAt(file, 0, HEAD)
  const mark = head.toString('latin1')
  const when = spec.exception?.when
  // A zip may stand behind other bytes.
  if (ZIP.test(mark) || extname(spec.input) === '.zip') return await inspectZip(spec)
  if (mark.startsWith('Rar!') && head.length === HEAD) return await inspectRar(spec, head)
  if (when === 'udf' && (await isCutOff(file))) throw new Damaged()
  if (when === 'udf' && (await isUdf(file))) return unamended(spec.exception!.source)
  return when === 'links' ? { source: spec.source, amend: withoutLinks } : unamended(spec.source)
}

const unamended = (source: Source): Inspected => ({ source, amend: (members) => members })

async function inspectZip({ input, source, rules }: Spec): Promise<Inspected> {
  const directory = await zipDirectory(input, rules.limits.entries)
  return directory ? { source, amend: (members) => checked(members, directory) } : unamended(source)
}

async function inspectRar({ input, scratch, source, exception }: Spec, head: Buffer): Promise<Inspected> {
  const isVersion4 = head[6] === 0
  if (isVolume(head)) throw new Refusal('The archive is one part of several; only complete archives can be converted')
  const headers = await rarHeaders(input, scratch).catch((error) => {
    if (error instanceof Refusal && !(error instanceof Damaged)) throw error
    return undefined
  })
  if (headers?.encrypted) throw encrypted()
  if (isVersion4 && exception?.when === 'rar4') return unamended(exception.source)
  return { source, amend: (members) => (headers ? withCopies(members, headers.copies) : members) }
}

/** Thrown when a stream has hard links: in it, those of a cpio have lost their content. */
export class LinksLost extends Error {}

async function* withoutLinks(members: AsyncIterable<Member>): AsyncGenerator<Member> {
  for await (const member of members) {
    if (member.entry.type === 'link') throw new LinksLost()
    yield member
  }
}

/** Methods that no program of Debian reads, by the last digit of their numbers (Methods.txt of 7-Zip ZS). */
const METHODS = ['', 'Zstandard', 'Brotli', '', 'LZ4', 'LZ5', 'Lizard']

/** Says by which method a 7z is compressed, if no program reads that. */
export async function methodRefusal({ input, scratch }: Spec): Promise<Refusal | undefined> {
  const { output } = start(['7zz', 'l', '-t7z', '-slt', '-pnone', '--', input], scratch, 'ignore')
  const digit = /^Method = .*\b04F7110([12456])\b/m.exec(await text(output))?.[1]
  if (!digit) return undefined
  return new Refusal(`The archive is compressed by ${METHODS[Number(digit)]}, which cannot be read inside 7z`)
}
