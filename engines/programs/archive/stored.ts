import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { Refusal } from '../refusal/refusal.ts'
import { encrypted } from './complaints.ts'
import { counted } from './guard.ts'
import { readerOf } from './looks.ts'
import { start } from './programs.ts'
import { type Contents, type Folder, START, sevenContents, sevenNumber } from './seven.ts'
import type { Command, Spec } from './spec.ts'

/** Methods of other makers, by their numbers (Methods.txt of 7-Zip ZS), and the programs that read two of them. */
const METHODS: Readonly<Record<string, { name: string; program?: Command }>> = {
  '04f71101': { name: 'Zstandard', program: ['zstd', '-dcq', '--memory=1024MB'] },
  '04f71102': { name: 'Brotli' },
  '04f71104': { name: 'LZ4', program: ['lz4', '-dcq'] },
  '04f71105': { name: 'LZ5' },
  '04f71106': { name: 'Lizard' },
}

const AES = '06f10701'
/** Most bytes of an unpacked header. */
const MOST_HEADER = 256 * 1024 ** 2
/** The definition of a coder that leaves bytes as they are. */
const COPY = Buffer.from([1, 0])
/** Parts of a header: header, main streams, packed streams, sizes, folders. */
const [BEFORE, SIZES, FOLDERS] = [Buffer.from([1, 4, 6, 0]), 9, Buffer.from([0, 7, 11])]

/**
 * Writes a copy of a 7z in which data by Zstandard and LZ4 are stored, because no program reads those inside 7z. Returns
 * whether there are any. Refuses a 7z by other methods that no program reads.
 */
export async function storeSeven(spec: Spec, copy: string): Promise<boolean> {
  await using file = await open(spec.input)
  const unpack = async (lzma: Buffer) => {
    const { process, output, ended } = start(['xz', '--format=lzma', '-dc'], spec.scratch, 'pipe')
    process.stdin!.on('error', () => {}).end(lzma)
    const header = Buffer.concat(await Array.fromAsync(counted(output, MOST_HEADER)))
    await ended
    return header
  }
  const contents = await sevenContents(readerOf(file), unpack).catch(() => undefined)
  if (!contents?.folders.some(({ coders }) => coders.some(({ id }) => id in METHODS))) return false
  if (contents.folders.some(({ coders }) => coders.some(({ id }) => id === AES))) throw encrypted()
  await using target = await open(copy, 'w')
  await target.write(Buffer.alloc(START))
  const sizes = await writeStreams(spec, contents, target)
  const header = Buffer.concat([
    ...[BEFORE, sevenNumber(sizes.length), Buffer.from([SIZES]), ...sizes.map(sevenNumber), FOLDERS],
    ...[sevenNumber(contents.folders.length), Buffer.from([0]), ...contents.folders.map(stored), contents.rest],
  ])
  await target.write(header)
  await target.write(startOf(header, sizes), 0, START, 0)
  return true
}

/** Appends the packed streams, those of foreign methods unpacked. Returns their sizes. */
async function writeStreams(spec: Spec, { at, sizes, folders }: Contents, target: FileHandle): Promise<number[]> {
  const written: number[] = []
  let [index, place, left] = [0, at, spec.rules.limits.bytes]
  for (const { coders, streams } of folders) {
    const method = coders.map(({ id }) => METHODS[id]).find(Boolean)
    if (method && (!method.program || streams > 1))
      throw new Refusal(`The archive is compressed by ${method.name}, which cannot be read inside 7z`)
    for (let count = 0; count < streams; count++) {
      const size = sizes[index++] ?? 0
      const bytes = size > 0 ? createReadStream(spec.input, { start: place, end: place + size - 1 }) : Readable.from([])
      const length = await append(counted(method ? unpacked(bytes, method.program!, spec) : bytes, left), target)
      written.push(length)
      place += size
      left -= length
    }
  }
  return written
}

async function* unpacked(bytes: Readable, program: Command, { scratch }: Spec): AsyncGenerator<Buffer> {
  const { process, output, ended } = start(program, scratch, 'pipe')
  try {
    pipeline(bytes, process.stdin!).catch(() => {})
    yield* output
    await ended
  } finally {
    process.kill('SIGKILL')
  }
}

async function append(bytes: AsyncIterable<Buffer>, target: FileHandle): Promise<number> {
  let length = 0
  for await (const piece of bytes) {
    await target.write(piece)
    length += piece.length
  }
  return length
}

/** The definition of a folder without foreign methods. */
function stored({ definition, coders }: Folder): Buffer {
  const last = coders.at(-1)?.to ?? 0
  const [first] = coders
  const parts = coders.map(({ id, from, to }) => (id in METHODS ? COPY : definition.subarray(from, to)))
  return Buffer.concat([definition.subarray(0, first?.from), ...parts, definition.subarray(last)])
}

function startOf(header: Buffer, sizes: readonly number[]): Buffer {
  const start = Buffer.alloc(START)
  start.write('7z\xbc\xaf\x27\x1c\0\x04', 'latin1')
  start.writeUIntLE(
    sizes.reduce((sum, size) => sum + size, 0),
    12,
    6,
  )
  start.writeUIntLE(header.length, 20, 6)
  start.writeUInt32LE(crc32(header), 28)
  start.writeUInt32LE(crc32(start.subarray(12)), 8)
  return start
}
