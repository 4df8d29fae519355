import type { Engine } from '../kernel/contract.ts'

/** A program that reads one compressed file from its standard input and prints what was compressed. */
const decompressor = (name: string, debian: string, ...flags: string[]): Engine => ({
  ...{ name, binary: [name], version: ['--version'], package: debian },
  argv: (_job, args) => ['-dc', flags, args],
})

/** Also for what compress(1) made. */
export const gzip = decompressor('gzip', 'gzip')
export const bzip2 = decompressor('bzip2', 'bzip2')
/** Within so much memory, whatever the file asks for. */
export const xz = decompressor('xz', 'xz-utils', '--memlimit-decompress=1GiB')
export const zstd = decompressor('zstd', 'zstd', '-q', '--memory=1024MB')
export const lz4 = decompressor('lz4', 'lz4', '-q')
export const lzip = decompressor('lzip', 'lzip', '-q')
export const brotli = decompressor('brotli', 'brotli')
