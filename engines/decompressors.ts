import type { Engine } from '../kernel/contract.ts'

/** A program that decompresses one file from standard input to standard output. */
const decompressor = (name: string, debian: string, ...flags: string[]): Engine => ({
  name,
  binary: [name],
  version: ['--version'],
  package: debian,
  argv: (_job, args) => ['-dc', flags, args],
})

/** Also for files that compress(1) made. */
export const gzip = decompressor('gzip', 'gzip')
export const bzip2 = decompressor('bzip2', 'bzip2')
/** A file cannot make it use more than 1 GiB of memory. */
export const xz = decompressor('xz', 'xz-utils', '--memlimit-decompress=1GiB')
export const zstd = decompressor('zstd', 'zstd', '-q', '--memory=1024MB')
export const lz4 = decompressor('lz4', 'lz4', '-q')
export const lzip = decompressor('lzip', 'lzip', '-q')
export const brotli = decompressor('brotli', 'brotli')
