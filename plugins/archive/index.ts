import type { Plugin } from '../../kernel/contract.ts'
import { archives as families } from '../formats/archive/archives.ts'
import { declared } from '../formats/family.ts'
import { compressed, recompressed } from './compressed.ts'
import { type ArchiveOptions, options } from './options.ts'
import { archives, optimisations } from './reading.ts'

/** Targets whose compressors take a second for a few megabytes, from the default level on. */
const slow = ['7z', 'tar.xz']
const megabyte = 1_000_000

/** Archives, packed anew as another format. */
export default {
  category: 'archive',
  formats: declared(families),
  options,
  wanted: ['zip', '7z', 'tar.gz', 'tar', 'tar.xz', 'tar.bz2', 'tar.zst', 'iso', 'jar', 'tar.lz4'],
  routes: [...archives, ...compressed, ...optimisations, recompressed],
  heavy: ({ to, size, options: { compression = 6 } }) => slow.includes(to) && compression >= 5 && size > 20 * megabyte,
} satisfies Plugin<ArchiveOptions>
