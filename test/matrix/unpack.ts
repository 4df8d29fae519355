import { program } from '../fixtures/program.ts'

type Unpack = (path: string, folder: string) => Promise<unknown>

const by7zip: Unpack = (path, folder) => program('7zz', 'x', '-y', '-bso0', '-bsp0', '-snld20', `-o${folder}`, path)
const byUnzip: Unpack = (path, folder) => program('unzip', '-qo', path, '-d', folder)
/** GNU tar with the program that decompresses. */
const byTar =
  (...options: string[]): Unpack =>
  (path, folder) =>
    program('tar', ...options, '--delay-directory-restore', '-xpf', path, '-C', folder)

/** For each target, a program other than its writer here. */
const programs: Readonly<Record<string, Unpack>> = {
  zip: byUnzip,
  jar: byUnzip,
  '7z': by7zip,
  tar: byTar(),
  'tar.gz': byTar('-I', 'gzip'),
  'tar.bz2': byTar('-I', 'bzip2'),
  'tar.xz': byTar('-I', 'xz'),
  'tar.zst': byTar('-I', 'zstd'),
  'tar.lz4': byTar('-I', 'lz4'),
  // cpio(1) cannot set times of links and folders, so it only has to list every entry.
  cpio: async (path, folder) => {
    await program('cpio', '-it', '--quiet', '--only-verify-crc', '-F', path)
    await by7zip(path, folder)
  },
  iso: (path, folder) => program('xorriso', '-osirrox', 'on', '-indev', path, '-extract', '/', folder),
}

/** Unpacks an archive of `format` into a folder. Rejects with the program's error. */
export async function unpack(path: string, format: string, folder: string): Promise<void> {
  const call = programs[format]
  if (!call) throw new Error(`nothing unpacks ${format}`)
  await call(path, folder)
}
