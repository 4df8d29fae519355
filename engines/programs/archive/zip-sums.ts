import { closeSync, fstatSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { damaged } from './complaints.ts'
import type { Member } from './entry.ts'
import { plainZip } from './plain-zip.ts'

/** The checksums of the files of a plain zip; undefined for everything else. @param most Maximum number of entries. */
export function sumsOf(path: string, most: number): ReadonlySet<number> | undefined {
  const file = openSync(path, 'r')
  try {
    const entries = plainZip(file, fstatSync(file).size, most)
    return entries && new Set(entries.map(({ crc }) => crc))
  } finally {
    closeSync(file)
  }
}

/** The same members. A file whose content has none of these checksums is refused: bsdtar passes it on without a word. */
export async function* summed(members: AsyncIterable<Member>, sums: ReadonlySet<number>): AsyncGenerator<Member> {
  for await (const { entry, body } of members) yield { entry, body: entry.size > 0 ? checked(body, sums) : body }
}

async function* checked(body: AsyncIterable<Buffer>, sums: ReadonlySet<number>): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const piece of body) {
    sum = crc32(piece, sum)
    yield piece
  }
  if (!sums.has(sum)) throw damaged('a file of the zip has another checksum')
}
