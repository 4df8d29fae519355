import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { unpack } from '../../matrix/unpack.ts'
import type { Subject } from '../family.ts'

const by7zip = (path: string, folder: string) =>
  program('7zz', 'x', '-y', '-bso0', '-bsp0', '-snld20', `-o${folder}`, path)

/** Unpacks a package whose only member that matches is an archive, by two steps. */
const nested = (path: string, folder: string, wanted: RegExp) =>
  withFolder(async (outer) => {
    await by7zip(path, outer)
    const inner = (await readdir(outer)).find((name) => wanted.test(name))
    if (!inner) throw new Error('there is no archive inside')
    await (inner.endsWith('.tar') ? unpack(join(outer, inner), 'tar', folder) : by7zip(join(outer, inner), folder))
  })

const byTar = (path: string, folder: string) =>
  withFolder(async (between) => {
    await writeFile(join(between, 'tar'), await program('bsdcat', path))
    await unpack(join(between, 'tar'), 'tar', folder)
  })

/** What lsar says about a member. */
interface Listed {
  XADFileName: string
  RAR5RedirectionType?: number
}

/** Hard links and copies, among other places of a member's data (RAR 5.0 archive format). */
const SAME_DATA = [4, 5]

/** The service reads RAR 5 by libarchive and older ones by The Unarchiver, which makes symbolic links of hard ones. */
async function byOther(path: string, folder: string) {
  const head = (await readFile(path)).toString('latin1', 0, 7)
  if (head !== 'Rar!\x1a\x07\x01') return void (await program('bsdtar', '-xf', path, '-C', folder))
  await program('unar', '-q', '-D', '-k', 'skip', '-o', folder, path)
  const { lsarContents }: { lsarContents: Listed[] } = JSON.parse((await program('lsar', '-j', path)).toString())
  for (const { XADFileName: name, RAR5RedirectionType: type } of lsarContents)
    if (type !== undefined && SAME_DATA.includes(type)) {
      const content = await readFile(join(folder, name))
      await rm(join(folder, name))
      await writeFile(join(folder, name), content)
    }
}

/** For formats that are no targets, a program other than the first one that the service reads them by. */
const programs: Readonly<Record<string, (path: string, folder: string) => Promise<unknown>>> = {
  ...Object.fromEntries(['cab', 'arj', 'lha', 'ar', 'cpio'].map((format) => [format, by7zip])),
  rar: byOther,
  wim: (path, folder) => program('wimapply', path, '1', folder),
  rpm: (path, folder) => nested(path, folder, /\.cpio$/),
  deb: (path, folder) => nested(path, folder, /^data\.tar$/),
  ...Object.fromEntries(['tar.lz', 'tar.lzma', 'tar.z'].map((format) => [format, byTar])),
}

/** What one compressed file holds, by another program than the service's. */
const single = ['gz', 'bz2', 'xz', 'zst', 'lz4', 'lzma', 'lz', 'z', 'br']

async function decompressed(path: string, format: string): Promise<Buffer> {
  if (format === 'br') return brotliDecompressSync(await readFile(path))
  // bsdcat overlooks a short part at the end of lzip, and nothing else reads it.
  return format === 'lz' ? program('lzip', '-dc', path) : program('bsdcat', path)
}

/** Formats whose names are in any character set. */
const anyCharset = ['rar', 'cab', 'arj', 'lha']

async function unpacked({ path, format, specimen }: Subject, folder: string): Promise<unknown> {
  const call = programs[format]
  if (!single.includes(format)) return call ? call(path, folder) : unpack(path, format, folder)
  const bytes = await decompressed(path, format)
  if (bytes.toString('latin1', 257, 262) === 'ustar') return byTar(path, folder)
  return writeFile(join(folder, specimen.name.replace(/\..*/, '')), bytes)
}

/** Unpacks a specimen into a folder. Rejects if no program does, or if nobody knows the character set of its names. */
export async function unpackSource(subject: Subject, folder: string): Promise<void> {
  await unpacked(subject, folder)
  const names = await readdir(folder, { recursive: true })
  // LHA stores links so; other programs take them for names.
  if (names.some((name) => name.includes('|'))) throw new Error('links that are not read')
  const strange = anyCharset.includes(subject.format) ? /[^\x20-\x7e]/ : /\ufffd/
  if (names.some((name) => strange.test(name))) throw new Error('names in an unknown character set')
}
