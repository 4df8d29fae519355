/** Archives by methods that the programs which read them do not know, or misread. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { seven } from '../../fixtures/archive/seven.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { packing } from './packing.ts'

const { failure } = await packing(t)

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
