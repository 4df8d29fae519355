import { addAbortSignal, PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file that goes into a ZIP. */
interface ZipMember {
  /** Relative path, with `/`. */
  path: string
  /** Bytes. */
  size: number
  /** Epoch milliseconds. */
  modified: number
}

/** Opens a member's bytes. */
type OpenMember<Member> = (member: Member) => Readable

/** From this size on, a member needs the fields of ZIP64 (APPNOTE 4.3.9.2). */
const ZIP64 = 0xffff_ffff

/**
 * Streams a ZIP. One member is open at a time, and nothing is held in memory but the names. Members are stored: most
 * results are compressed already, and to deflate the others again for each download would let a client that repeats it
 * use the processor for nothing. A member that cannot be read breaks the stream, so that no client takes a part for the
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
      // A client that leaves ends the wait below.
      const content = addAbortSignal(gone, open(member))
      const { path, size, modified } = member
      const mtime = new Date(modified)
      const forceZip64Format = size >= ZIP64
      zip.addReadStream(content, path, { mtime, size, mode: 0o100644, compress: false, forceZip64Format })
      await finished(content)
    }
    if (list) zip.addBuffer(Buffer.from(list.text), list.path, { mode: 0o100644, compress: false })
    zip.end()
  }

  // The content's error also ends the wait above, which ends the output.
  zip.on('error', () => {})
  fill().catch((error) => output.destroy(error))
  return output
}
