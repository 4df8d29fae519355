import { type ByteReader, byteReader, drain } from './bytes.ts'
import { damaged } from './complaints.ts'
import { type Entry, type Member, plainEntry } from './entry.ts'

const HEADER = 110
const LONGEST = 65_536
/** Names of hard links that wait for their data. */
const MOST_WAITING = 10_000
/** Most 4-byte words of zeros between two archives. */
const MOST_ZEROS = 65_536
const ZEROS = Buffer.alloc(4)
const NOTHING = Buffer.alloc(0)

/**
 * Reads a cpio in the `newc` format, which packages also use. If a file has several names, only the last one has the data.
 * That one is returned as a file, the others as links to it.
 */
export async function* readCpio(chunks: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  const reader = byteReader(chunks)
  let mark = await reader.exactly(4)
  if (!mark) throw damaged()
  // A boot image consists of several archives, with zeros between them.
  while (mark) {
    yield* archive(reader, mark)
    mark = await behindZeros(reader)
  }
}

async function behindZeros(reader: ByteReader): Promise<Buffer | undefined> {
  for (let words = 0; words < MOST_ZEROS; words++) {
    const word = await reader.exactly(4)
    if (!word?.equals(ZEROS)) return word
  }
  throw damaged()
}

async function* archive(reader: ByteReader, first: Buffer): AsyncGenerator<Member> {
  const waiting = new Map<string, Entry[]>()
  let held = 0
  for (let mark: Buffer | undefined = first; ; mark = await reader.exactly(4)) {
    const { mode, uid, gid, links, mtime, size, length, file } = parseHeader(mark, await reader.exactly(HEADER - 4))
    const name = (await taken(reader, length, 1)).subarray(0, -1)
    await reader.exactly((4 - ((HEADER + length) % 4)) % 4)
    if (name.toString('latin1') === 'TRAILER!!!') break

    const type = typeOf(mode)
    const entry = {
      ...plainEntry('', type, type === 'file' ? size : 0, mode & 0o7777, String(mtime)),
      ...{ name, uid, gid, target: type === 'symlink' ? await taken(reader, size, 4) : NOTHING },
    }
    if (type !== 'file' || links < 2) {
      yield* whole(entry, reader.pieces(type === 'symlink' ? 0 : size, 4))
    } else if (size > 0) {
      yield* whole(entry, reader.pieces(size, 4))
      yield* linked(waiting.get(file) ?? [], entry)
      waiting.delete(file)
    } else {
      if (++held > MOST_WAITING) throw damaged()
      waiting.set(file, [...(waiting.get(file) ?? []), entry])
    }
  }
  for (const [first, ...others] of waiting.values()) {
    yield* whole(first!, nothing())
    yield* linked(others, first!)
  }
}

/** Reads a name, or the target of a link. */
async function taken(reader: ByteReader, length: number, block: number): Promise<Buffer> {
  if (length === 0 || length > LONGEST) throw damaged()
  return Buffer.concat(await Array.fromAsync(reader.pieces(length, block)))
}

async function* whole(entry: Entry, body: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  yield { entry, body }
  await drain(body)
}

async function* linked(entries: readonly Entry[], to: Entry): AsyncGenerator<Member> {
  for (const entry of entries) yield { entry: { ...entry, type: 'link', target: to.name }, body: nothing() }
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** After the magic number come 13 numbers with 8 hexadecimal digits each. */
function parseHeader(mark: Buffer | undefined, rest: Buffer | undefined) {
  const header = `${mark?.toString('latin1')}${rest?.toString('latin1')}`
  if (!/^07070[12][\da-f]{104}$/i.test(header)) throw damaged()
  const number = (index: number) => Number.parseInt(header.slice(6 + index * 8, 14 + index * 8), 16)
  return {
    ...{ mode: number(1), uid: number(2), gid: number(3), links: number(4), mtime: number(5), size: number(6) },
    length: number(11),
    /** Identical for all names of one file. */
    file: [0, 7, 8].map(number).join(' '),
  }
}

/** Indexed by the file type, bits 12 to 15 of the mode (stat(2)). */
const TYPES: readonly Entry['type'][] = Object.assign(Array(16).fill('other'), {
  4: 'folder',
  8: 'file',
  10: 'symlink',
})

const typeOf = (mode: number): Entry['type'] => TYPES[(mode >> 12) & 15]!
