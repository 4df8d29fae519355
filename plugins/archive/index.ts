import type { Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { type ArchiveOptions, options } from './options.ts'

/** Archives, packed anew as another kind. */
export default {
  category: 'archive',
  formats,
  options,
  wanted: ['zip', '7z', 'tar.gz', 'tar', 'tar.xz', 'tar.bz2', 'tar.zst', 'iso', 'jar', 'cpio', 'tar.lz4'],
  routes: [],
} satisfies Plugin<ArchiveOptions>
