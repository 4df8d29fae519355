import { byteReader } from './bytes.ts'
import { damaged } from './complaints.ts'
import type { Member } from './entry.ts'

const BLOCK = 512
/** Numbers in the map of a file. */
const MOST = 2_000_000
const ZEROS = Buffer.alloc(65_536)

/** Whether a block is the end of a map: numbers on lines, then zeros. */
export const endsMap = (block: Buffer): boolean => /^(\d{1,15}\n)+\0*$/.test(block.toString('latin1'))

/** The map of a file that is one hole, in a block. */
export function mapOfHole(size: number): Buffer {
  const map = Buffer.alloc(BLOCK)
  map.write(`1\n${size}\n0\n`)
  return map
}

/**
 * The same entries. Sparse files have zeros in place of their holes.
 *
 * @param all Also those that a tar can store. libarchive 3.6 writes files without any data wrongly.
 */
export async function* filled(members: AsyncIterable<Member>, all: boolean): AsyncGenerator<Member> {
  for await (const { entry, body } of members) {
    const { sparse: size, ...whole } = entry
    const isFilled = size !== undefined && (all || entry.size === BLOCK)
    yield isFilled ? { entry: { ...whole, size }, body: contentOf(body, size) } : { entry, body }
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

function* zeros(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left)
}
