import type { Plugin } from '../../kernel/contract.ts'

/** Options of archive targets. */
export interface ArchiveOptions {
  compression?: number
}

const compressing = ['zip', '7z', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'tar.lz4', 'jar']

export const options: Plugin<ArchiveOptions>['options'] = {
  compression: {
    title: 'Compression effort',
    type: 'integer',
    minimum: 0,
    maximum: 9,
    // An optimisation without it tries hardest.
    defaults: Object.fromEntries(compressing.map((target) => [target, 6])),
    // tar, cpio and iso do not compress.
    effect: compressing,
    description:
      "Effort from 0 to 9, mapped to the format's own scale. 0 does not compress zip, jar, 7z and tar.gz, and is the fastest for others.",
  },
}
