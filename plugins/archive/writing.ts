import type { Args, Job } from '../../kernel/contract.ts'
import type { ArchiveOptions } from './options.ts'

/** Levels of zstd by our level: each costs about as much as in other formats. */
const ZSTD = [1, 1, 2, 3, 4, 6, 9, 11, 12, 19]
/** Above it xz takes half a gigabyte of memory for little gain. */
const MAX_XZ = 7

/** bsdtar's arguments for each target, by the level from 0 to 9. */
const WRITERS: Readonly<Record<string, (level: number) => Args>> = {
  zip: (level) => ['--format=zip', '--options', `zip:compression-level=${level}`],
  jar: (level) => ['--format=zip', '--options', `zip:compression-level=${level}`],
  // Its level 0 compresses; `store` does not.
  '7z': (level) => [
    '--format=7zip',
    '--options',
    level === 0 ? '7zip:compression=store' : `7zip:compression-level=${level}`,
  ],
  tar: () => ['--format=pax'],
  'tar.gz': (level) => ['--format=pax', '-z', '--options', `gzip:compression-level=${level}`],
  'tar.bz2': (level) => ['--format=pax', '-j', '--options', `bzip2:compression-level=${Math.max(1, level)}`],
  'tar.xz': (level) => [
    '--format=pax',
    '-J',
    '--options',
    `xz:compression-level=${Math.min(MAX_XZ, level)},xz:threads=1`,
  ],
  'tar.zst': (level) => ['--format=pax', '--zstd', '--options', `zstd:compression-level=${ZSTD[level]}`],
  'tar.lz4': (level) => ['--format=pax', '--lz4', '--options', `lz4:compression-level=${Math.max(1, level)}`],
  cpio: () => ['--format=newc'],
  iso: () => ['--format=iso9660'],
}

/** All targets. */
export const targets = Object.keys(WRITERS)

/** The level of a job, 0 to 9. An optimisation without the option tries hardest. */
export const levelOf = ({ options: { compression }, intent }: Job<ArchiveOptions>) =>
  compression ?? (intent === 'transform' ? 9 : 6)

/** bsdtar's arguments for a job's target. */
export const writing = (job: Job<ArchiveOptions>): Args => WRITERS[job.to]!(levelOf(job))
