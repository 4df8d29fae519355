import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { damaged } from './complaints.ts'
import type { Member } from './entry.ts'
import { readerOf } from './looks.ts'
import { ZIP, zipDirectory, zipHeaders } from './zip.ts'

/**
 * The checksums that the directory of a zip names; undefined for other archives, and without a whole directory.
 *
 * @param most Maximum number of entries. More are refused elsewhere.
 */
export async function sumsOf(path: string, most: number): Promise<ReadonlySet<number> | undefined> {
  await using file = await open(path)
  const readAt = readerOf(file)
  if (!ZIP.test((await readAt(0, 8)).toString('latin1'))) return undefined
  const directory = await zipDirectory(readAt, (await file.stat()).size)
  if (!directory) return undefined
  const sums = new Set<number>()
  let [entries, length] = [0, 0]
  for await (const header of zipHeaders(readAt, directory)) {
    if (++entries > most) return undefined
    sums.add(header.crc)
    length += header.length
  }
  return length === directory.length ? sums : undefined
}

/** The same members. A file whose content has none of these checksums is refused: bsdtar passes it on without a word. */
export async function* summed(members: AsyncIterable<Member>, sums: ReadonlySet<number>): AsyncGenerator<Member> {
  for await (const { entry, body } of members) {
    // The stream of a file with holes is not its content.
    const isWhole = entry.size > 0 && entry.sparse === undefined
    yield { entry, body: isWhole ? checked(body, sums) : body }
  }
}

async function* checked(body: AsyncIterable<Buffer>, sums: ReadonlySet<number>): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const piece of body) {
    sum = crc32(piece, sum)
    yield piece
  }
  if (!sums.has(sum)) throw damaged('a file of the zip has another checksum')
}
