/** Archives by methods that the programs which read them do not know, or misread. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, crc32, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { seven } from '../../fixtures/archive/seven.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { listing } from './listing.ts'
import { packing } from './packing.ts'

const { convert, failure } = await packing(t)

const files = { 'a.txt': Buffer.from('first '.repeat(1000)), 'ü.txt': Buffer.from('second') }
const all = Buffer.concat(Object.values(files))

/** Compresses by a program that reads a file and writes standard output. */
const by = (bytes: Buffer, ...[name, ...args]: [string, ...string[]]) =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'in'), bytes)
    return program(name, ...args, join(folder, 'in'))
  })
const lzma = (bytes: Buffer) => by(bytes, 'xz', '--format=lzma', '-c')

t.test('7z by methods that no program reads are refused, with the name of the method', async (t) => {
  for (const [name, id, packed] of [
    ['Brotli', '04f71102', brotliCompressSync(all)],
    ['Zstandard', '04f71101', zstdCompressSync(all)],
    ['LZ4', '04f71104', await by(all, 'lz4', '-qc')],
  ] as const)
    for (const header of [undefined, lzma])
      t.match(await failure(await seven(files, id, packed, header), '7z>zip'), {
        code: 'CONVERSION_ERROR',
        message: `The archive is compressed by ${name}, which cannot be read inside 7z`,
      })
})

/** A number of RAR 5: below 128. */
const small = (...values: number[]) => Buffer.from(values)

/** A header of RAR 5, after its type. */
function header5(...parts: Buffer[]): Buffer {
  const fields = Buffer.concat(parts)
  const counted = Buffer.concat([small(fields.length), fields])
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(counted))
  return Buffer.concat([sum, counted])
}

t.test('RAR 5 with files that are stored as copies of others', async (t) => {
  const content = Buffer.from('Once upon a time.\n')
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(content))
  const named = (name: string) => Buffer.concat([small(0, 0, name.length), Buffer.from(name)])
  const about = [small(4, content.length, 32), sum]
  const original = 'first.txt'
  const redirection = Buffer.concat([small(5, 5, 0, original.length), Buffer.from(original)])
  const copy = Buffer.concat([small(redirection.length), redirection])
  const rar = Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'),
    header5(small(1, 0, 0)),
    header5(small(2, 2, content.length), ...about, named(original)),
    content,
    header5(small(2, 3, copy.length, 0), ...about, named('copy.txt'), copy),
    header5(small(2, 2, 0), small(4, 0, 32), Buffer.alloc(4), named('empty.txt')),
    header5(small(5, 0, 0)),
  ])
  const text = /^file \d+ Once upon a time\.\n$/
  const { 'empty.txt': empty, ...rest } = await listing(await convert(rar, 'rar>zip'), 'zip')
  t.match(rest, { 'first.txt': text, 'copy.txt': text })
  t.match(empty, /^file \d+ $/, 'an empty file stays empty')
})
