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
const listed = { 'a.txt': /^file \d+ first first/, 'ü.txt': /^file \d+ second$/ }

/** Compresses by a program that reads a file and writes standard output. */
const by = (bytes: Buffer, ...[name, ...args]: [string, ...string[]]) =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'in'), bytes)
    return program(name, ...args, join(folder, 'in'))
  })
const lzma = (bytes: Buffer) => by(bytes, 'xz', '--format=lzma', '-c')

const packed = {
  Zstandard: ['04f71101', zstdCompressSync(all)],
  LZ4: ['04f71104', await by(all, 'lz4', '-qc')],
} as const

for (const [name, [id, bytes]] of Object.entries(packed))
  t.test(`7z by ${name}`, async (t) => {
    for (const header of [undefined, lzma])
      for (const to of ['zip', 'tar.gz'])
        t.match(await listing(await convert(await seven(files, id, bytes, header), `7z>${to}`), to), listed, to)
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    t.match(
      await failure(await seven(files, id, half), '7z>zip'),
      { code: 'CONVERSION_ERROR', message: /damaged/ },
      'half',
    )
    const others = Object.fromEntries(Object.entries(files).map(([name, { length }]) => [name, Buffer.alloc(length)]))
    t.match(
      await failure(await seven(others, id, bytes), '7z>zip'),
      { code: 'CONVERSION_ERROR', message: /damaged/ },
      'CRC',
    )
  })

t.test('7z by Brotli is refused, with the name of the method', async (t) => {
  for (const header of [undefined, lzma])
    t.match(await failure(await seven(files, '04f71102', brotliCompressSync(all), header), '7z>zip'), {
      code: 'CONVERSION_ERROR',
      message: 'The archive is compressed by Brotli, which cannot be read inside 7z',
    })
})

t.test('7z that unpack to too much', async (t) => {
  for (const bytes of [all.length - 1, all.length]) {
    const { code } = await failure(await seven(files, ...packed.Zstandard), '7z>zip', {}, { limits: { bytes } })
    t.equal(code === 'RESOURCE_LIMIT', bytes < all.length, code)
  }
})

/** A header of RAR before version 5. */
function header(type: number, flags: number, fields: Buffer, comment: Buffer = Buffer.alloc(0)): Buffer {
  const block = Buffer.concat([Buffer.alloc(7), fields, comment])
  block[2] = type
  block.writeUInt16LE(flags, 3)
  block.writeUInt16LE(block.length, 5)
  block.writeUInt16LE(crc32(block.subarray(2, block.length - comment.length)) & 0xffff)
  return block
}

/** A file in such a RAR, compressed by RAR 1.5. */
function member(name: string, content: Buffer, data: Buffer, comment?: Buffer): Buffer {
  const fields = Buffer.alloc(25)
  fields.writeUInt32LE(data.length, 0)
  fields.writeUInt32LE(content.length, 4)
  fields.writeUInt32LE(crc32(content), 9)
  fields.writeUInt32LE(0x2a3b4c5d, 13)
  fields.set([15, 0x33, name.length, 0], 17)
  return Buffer.concat([
    header(0x74, 0x8000 | (comment ? 8 : 0), Buffer.concat([fields, Buffer.from(name)]), comment),
    data,
  ])
}

t.test('RAR 1.5, of which unar reads beyond the end of a file', async (t) => {
  const content = Buffer.from('foooo\r\n')
  // What RAR 1.5 makes of these words.
  const data = Buffer.from('13d37af080089c', 'hex')
  const comment = header(0x75, 0, Buffer.from([0, 0, 15, 0x30, 0, 0, ...Buffer.from('file comment')]))
  const mark = Buffer.from('Rar!\x1a\x07\0', 'latin1')
  const start = Buffer.concat([mark, header(0x73, 0, Buffer.alloc(6))])
  const rar = Buffer.concat([start, member('A.TXT', content, data), member('B.TXT', content, data, comment)])
  for (const to of ['zip', 'tar.gz'])
    t.match(
      await listing(await convert(rar, `rar>${to}`), to),
      { 'A.TXT': /^file \d+ foooo\r\n$/, 'B.TXT': /^file \d+ foooo\r\n$/ },
      to,
    )
  const wrong = Buffer.concat([start, member('A.TXT', content, data.subarray(0, 4))])
  t.match(await failure(wrong, 'rar>zip'), { code: 'CONVERSION_ERROR', message: /damaged/ })
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
