import { brotli, bzip2, gzip, lz4, lzip, xz, zstd } from '../../engines/decompressors.ts'
import { bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import type { ArchiveOptions } from './options.ts'
import { by, command } from './spec.ts'
import { levelOf, targets as to } from './writing.ts'

/** gzip says 2 when something else stands behind what it has unpacked whole. */
const tolerated = (engine: Engine) => (engine === gzip ? [2] : [])

/** One compressed file becomes an archive with that file in it, or with the files of the tar that it is. */
const single = (format: string, engine: Engine, ...flags: string[]): Route<ArchiveOptions> => ({
  from: [format],
  to,
  ...by(engine, {
    source: (job) => ({
      ...{ kind: 'file', name: job.name, tolerated: tolerated(engine) },
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
  single('lzma', xz, '--format=lzma'),
  single('zst', zstd),
  single('lz4', lz4),
  single('lz', lzip),
  single('br', brotli),
]

/** The tar stays as it is, byte by byte. */
export const recompressed: Route<ArchiveOptions> = {
  transform: ['tar.gz'],
  ...by(gzip, {
    source: (job) => ({
      ...{ kind: 'gzip', level: levelOf(job), tolerated: tolerated(gzip) },
      read: command(gzip, gzip.argv(job, [])),
    }),
  }),
}
