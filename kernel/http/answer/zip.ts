import { addAbortSignal, PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { ZipFile } from 'yazl'

/** A file that goes into a ZIP. */
export interface ZipMember {
  /** Relative path, with `/`. */
  path: string
  /** Bytes. */
  size: number
  /** Epoch milliseconds. */
  modified: number
}

/** Opens a member's bytes; `end` is inclusive. */
export type OpenMember<Member> = (member: Member, range?: { start: number; end: number }) => Readable

/** Bytes at the start of a file that show whether deflate makes it smaller. */
const SAMPLE = 32 * 1024

/** From this size on, a member needs the fields of ZIP64 (APPNOTE 4.3.9.2). Below the limit, as deflate can add bytes. */
const ZIP64 = 0xf000_0000

/**
 * Streams a ZIP. One member is open at a time, and nothing is held in memory but the names. Members that deflate does
 * not make smaller are stored. A member that cannot be read breaks the stream, so that no client takes a part for the
 * whole.
 *
 * @param list A text file that goes last. Undefined: none.
 * @param gone Ends the work when nobody reads any more.
 */
export function streamZip<Member extends ZipMember>(
  members: readonly Member[],
  open: OpenMember<Member>,
  list: { path: string; text: string } | undefined,
  gone: AbortSignal,
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream.pipe(new PassThrough())

  async function fill() {
    for (const member of members) {
      gone.throwIfAborted()
      const compress = await shrinks(member, open)
      // A client that leaves ends the wait below, also one that left during the wait above.
      const content = addAbortSignal(gone, open(member))
      const { path, size, modified } = member
      const mtime = new Date(modified)
      const method = { compress, compressionLevel: compress ? 1 : 0, forceZip64Format: size > ZIP64 }
      zip.addReadStream(content, path, { mtime, size, mode: 0o100644, ...method })
      await finished(content)
    }
    if (list) zip.addBuffer(Buffer.from(list.text), list.path, { mode: 0o100644 })
    zip.end()
  }

  // The content's error also ends the wait above, which ends the output.
  zip.on('error', () => {})
  fill().catch((error) => output.destroy(error))
  return output
}

async function shrinks<Member extends ZipMember>(member: Member, open: OpenMember<Member>): Promise<boolean> {
  if (!member.size) return false
  const sample = await buffer(open(member, { start: 0, end: Math.min(SAMPLE, member.size) - 1 }))
  const smaller = await promisify(deflateRaw)(sample, { level: 1 })
  return smaller.length < 0.9 * sample.length
}
