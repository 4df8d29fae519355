import { brotli, bzip2, gzip, lz4, lzip, xz, zstd } from '../../engines/decompressors.ts'
import { bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import type { ArchiveOptions } from './options.ts'
import { command, repack } from './spec.ts'
import { levelOf, targets as to } from './writing.ts'

/** A compressed tar becomes an archive of its files; any other compressed file becomes the only file of one. */
const single = (format: string, engine: Engine, ...flags: string[]): Route<ArchiveOptions> => ({
  from: [format],
  to,
  ...repack(engine, {
    source: (job) => ({
      kind: 'file',
      name: job.name,
      read: command(engine, engine.argv(job, flags)),
      tar: command(bsdtar, bsdtarFrames.piped),
    }),
  }),
})

export const compressed: Route<ArchiveOptions>[] = [
  single('gz', gzip),
  single('z', gzip),
  single('bz2', bzip2),
  single('xz', xz),
  // The format has no frame that would tell other bytes behind it from damage.
  single('lzma', xz, '--format=lzma', '--single-stream'),
  single('zst', zstd),
  single('lz4', lz4),
  single('lz', lzip),
  single('br', brotli),
]

/** The tar inside stays as it is, byte by byte. */
export const recompressed: Route<ArchiveOptions> = {
  transform: ['tar.gz'],
  ...repack(gzip, {
    source: (job) => ({
      kind: 'gzip',
      level: levelOf(job),
      read: command(gzip, gzip.argv(job, [])),
    }),
  }),
}
