import { BLOCK, byteReader } from './bytes.ts'
import { damaged } from './complaints.ts'
import type { Member } from './entry.ts'

/** Numbers in the map of a file. */
const MOST = 2_000_000
const ZEROS = Buffer.alloc(65_536)

/** Whether a block is the map of a file without data: numbers on lines, the length of each piece 0. */
export const mapsNothing = (block: Buffer): boolean => /^\d{1,15}\n(\d{1,15}\n0\n)*\0*$/.test(block.toString('latin1'))

/** The same entries. Sparse files have zeros in place of their holes. */
export async function* filled(members: AsyncIterable<Member>): AsyncGenerator<Member> {
  for await (const { entry, body } of members) {
    const { sparse: size, ...whole } = entry
    yield size === undefined ? { entry, body } : { entry: { ...whole, size }, body: contentOf(body, size) }
  }
}

/**
 * The content of a sparse file. In the stream, a map comes first: decimal numbers on lines, filled up to whole blocks. They
 * are the number of pieces, and of each piece its place and its length (GNU tar, "PAX Format, Version 1.0").
 */
async function* contentOf(body: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const reader = byteReader(body)
  const numbers: number[] = []
  let rest = ''
  while (numbers.length < 1 + 2 * (numbers[0] ?? 0)) {
    const block = await reader.exactly(BLOCK)
    if (!block || numbers.length > MOST) throw damaged()
    const lines = (rest + block.toString('latin1')).split('\n')
    rest = lines.pop()!
    numbers.push(...lines.map(whole))
  }
  let at = 0
  for (let piece = 0; piece < numbers[0]!; piece++) {
    const [place, length] = [numbers[1 + 2 * piece]!, numbers[2 + 2 * piece]!]
    if (place < at || place + length > size) throw damaged()
    yield* zeros(place - at)
    yield* reader.pieces(length, 1)
    at = place + length
  }
  yield* zeros(size - at)
}

/** A number of the map. It comes from the file. */
function whole(line: string): number {
  if (!/^\d{1,15}$/.test(line)) throw damaged()
  return Number(line)
}

/** The content of a hole. */
export async function* zeros(count: number): AsyncGenerator<Buffer> {
  for (let left = count; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left)
}
