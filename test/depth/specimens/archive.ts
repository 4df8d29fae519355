import { createHash } from 'node:crypto'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { rar4, rar5 } from '../../fixtures/archive/rar.ts'
import { changed, flat, full, grow, type Item, plain, text } from '../../fixtures/archive/tree.ts'
import { archive, archiveKinds } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { formatOf } from '../saved.ts'

type Tree = Readonly<Record<string, Item>>
type Lacks = readonly ('times' | 'modes' | 'write permission' | 'folders')[]

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** What a tree has, by feature. */
function truthOf(tree: Tree, lacks: Lacks): Record<string, unknown> {
  const all = Object.entries(tree).filter(([, { type }]) => type !== 'folder' || !lacks.includes('folders'))
  const of = <Value>(pick: (item: Item) => Value | undefined) =>
    Object.fromEntries(all.flatMap(([name, item]) => (pick(item) === undefined ? [] : [[name, pick(item)] as const])))
  const inFiles = (value: (item: Item & { type: 'file' }) => unknown) =>
    of((item) => (item.type === 'file' ? value(item) : undefined))
  const mask = lacks.includes('write permission') ? 0o555 : 0o777
  const truth = {
    names: all.map(([name]) => name).sort(),
    contents: inFiles(({ content }) => hashOf(content)),
    links: of((item) => (item.type === 'symlink' ? item.target : undefined)),
    times: lacks.includes('times') ? {} : inFiles(() => changed.getTime() / 1000),
    modes: lacks.includes('modes') ? {} : inFiles(({ mode }) => mode & mask),
    'empty folders': all.map(([name]) => name).filter((name) => name.endsWith('void')),
  }
  return Object.fromEntries(Object.entries(truth).filter(([, value]) => Object.keys(value).length > 0))
}

function packed(name: string, maker: string, tree: Tree, lacks: Lacks, make: Specimen['make']): Specimen {
  const truth = truthOf(tree, lacks)
  return { name, from: formatOf(name), maker, features: Object.keys(truth), truth, make }
}

/** A program that runs in the folder with the tree. `$0` is the output. */
const by = (name: string, maker: string, script: string, tree: Tree = full, lacks: Lacks = []) =>
  packed(name, maker, tree, lacks, async (output, scratch) => {
    const root = await grow(`${scratch}/tree`, tree, false)
    await rm(output, { force: true })
    await program('env', '-C', root, 'bash', '-ec', `set -o pipefail; ${script}`, output)
  })

const fixed = (format: string, maker: string, tree: Tree, lacks: Lacks = [], name = `fixture.${format}`) =>
  packed(name, maker, tree, lacks, archive[format]!.make)

const files = (tree: Tree) => Object.fromEntries(Object.entries(tree).filter(([, { type }]) => type === 'file'))
const linked: Tree = { ...full, 'folder/twin.txt': full['hello.txt']! }
const names = Object.keys(files(flat)).join(' ')
const python = (code: string) => `/usr/bin/python3 -c "${code}" "$0"`
const tarfile =
  "/usr/bin/python3 -c \"import sys,tarfile;t=tarfile.open(fileobj=sys.stdout.buffer,mode='w|',format=tarfile.PAX_FORMAT);t.add('.');t.close()\""

/** The same tar by three programs, through a compressor. */
const tars = (format: string, compress: string, other: string) => [
  by(`gnu.${format}`, 'GNU tar', `tar --format=gnu -cf - . | ${compress} > "$0"`),
  by(`pax.${format}`, 'libarchive', `bsdtar --format=pax -cf - . | ${other} > "$0"`),
  by(`python.${format}`, 'Python', `${tarfile} | ${compress} > "$0"`),
]

const single: Tree = { picture: { type: 'file', content: text, mode: 0o644 } }
const lone = (name: string, maker: string, script: string | (() => Buffer), content: Buffer = text) =>
  packed(
    name,
    maker,
    { [name.slice(0, name.indexOf('.'))]: { ...single.picture!, content } as Item },
    ['times', 'modes'],
    async (output, scratch) => {
      await writeFile(`${scratch}/in`, content)
      await utimes(`${scratch}/in`, changed, changed)
      if (typeof script === 'string') await program('env', '-C', scratch, 'bash', '-ec', script, output)
      else await writeFile(output, script())
    },
  )

/** One compressed file: at two levels, and an empty one, or two parts in a row. */
const lones = (format: string, maker: string, fast: string, best: string) => [
  lone(`fast.${format}`, maker, `${fast} < in > "$0"`),
  lone(`best.${format}`, maker, `${best} < in > "$0"`),
  lone(`noise.${format}`, maker, `${fast} < in > "$0"`, (flat['noise.bin'] as { content: Buffer }).content),
]

const zipfile = (method: string) =>
  python(
    `import os,sys,zipfile;z=zipfile.ZipFile(sys.argv[1],'w',zipfile.${method});[z.write(os.path.join(d,n)) for d,ds,fs in os.walk('.') for n in ds+fs];z.close()`,
  )
const py7zr = "import sys,py7zr;z=py7zr.SevenZipFile(sys.argv[1],'w');"
const manifested = 'mkdir META-INF; echo "Manifest-Version: 1.0" > META-INF/MANIFEST.MF'
const about = 'Package: a\\nVersion: 1\\nArchitecture: all\\nMaintainer: A <a@example.org>\\nDescription: a\\n'
const control = `mkdir DEBIAN; printf '${about}' > DEBIAN/control`
const rpmTree = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).map(([name, item]) => [`opt/tree/${name}`, item]))

/** Specimens of archives. */
export const archives: readonly Specimen[] = [
  by('infozip.zip', 'Info-ZIP', 'zip -qry "$0" .'),
  by('stored.zip', '7-Zip', '7zz a -bd -bso0 -snl -tzip -mx=0 "$0" .'),
  by('lzma.zip', '7-Zip', '7zz a -bd -bso0 -snl -tzip -mm=LZMA "$0" .'),
  by('python.zip', 'Python', zipfile('ZIP_BZIP2'), plain),
  packed('deflate64.zip', '7-Zip', plain, [], archiveKinds['deflate64.zip']!.make),
  by('streamed.zip', 'libarchive', 'bsdtar --format=zip -cf - . | cat > "$0"'),
  by('infozip.jar', 'Info-ZIP', `${manifested}; zip -qr "$0" .`, plain),
  by('libarchive.jar', 'libarchive', 'bsdtar --format=zip -cf "$0" *', {
    'META-INF/MANIFEST.MF': { type: 'file', content: Buffer.from('Manifest-Version: 1.0\n'), mode: 0o644 },
    ...plain,
  }),
  by('python.jar', 'Python', `${manifested}; ${zipfile('ZIP_DEFLATED')}`, plain),
  by('solid.7z', '7-Zip', '7zz a -bd -bso0 -snl -ms=on -mx=5 "$0" .'),
  by('ppmd.7z', '7-Zip', '7zz a -bd -bso0 -snl -m0=PPMd -ms=off "$0" .'),
  by('libarchive.7z', 'libarchive', 'bsdtar --format=7zip -cf "$0" .'),
  by('py7zr.7z', 'py7zr', python(`${py7zr}z.writeall('.','');z.close()`), plain, ['modes']),
  packed('five.rar', 'hand', full, [], async (output) => writeFile(output, rar5(full))),
  packed('four.rar', 'hand', plain, [], async (output) => writeFile(output, rar4(plain))),
  packed('flat.rar', 'hand', flat, [], async (output) => writeFile(output, rar5(flat))),
  by('gnu.tar', 'GNU tar', 'tar --format=gnu -cf "$0" .'),
  by('ustar.tar', 'GNU tar', 'tar --format=ustar -cf "$0" .', plain),
  by('v7.tar', 'GNU tar', 'tar --format=v7 -cf "$0" .', plain),
  by('pax.tar', 'libarchive', 'bsdtar --format=pax -cf "$0" .'),
  by('python.tar', 'Python', `${tarfile} > "$0"`),
  ...tars('tar.gz', 'gzip -1', 'gzip -9'),
  ...tars('tar.bz2', 'bzip2 -1', 'bzip2 -9'),
  ...tars('tar.xz', 'xz -1', 'xz -6 --check=crc32'),
  ...tars('tar.zst', 'zstd -q', 'zstd -q -9 --no-check'),
  ...tars('tar.lz4', 'lz4 -q', 'lz4 -q -9 --content-size'),
  ...tars('tar.lz', 'lzip -1', 'lzip -9'),
  ...tars('tar.lzma', 'xz --format=lzma -1', 'xz --format=lzma -6'),
  ...tars('tar.z', 'compress -c', 'compress -b 12 -c'),
  ...lones('gz', 'gzip', 'gzip -1', 'gzip -9'),
  lone('parts.gz', 'zlib', () => Buffer.concat([gzipSync(text.subarray(0, 1000)), gzipSync(text.subarray(1000))])),
  ...lones('bz2', 'bzip2', 'bzip2 -1', 'bzip2 -9'),
  ...lones('xz', 'XZ Utils', 'xz -0', 'xz -9 --check=sha256'),
  ...lones('zst', 'Zstandard', 'zstd -q -1', 'zstd -q -19 --long'),
  lone('parts.zst', 'zlib', () =>
    Buffer.concat([zstdCompressSync(text.subarray(0, 1000)), zstdCompressSync(text.subarray(1000))]),
  ),
  ...lones('lz4', 'LZ4', 'lz4 -q -1', 'lz4 -q -9 -BD'),
  ...lones('lzma', 'XZ Utils', 'xz --format=lzma -0', 'xz --format=lzma -9'),
  ...lones('lz', 'lzip', 'lzip -0', 'lzip -9'),
  ...lones('z', 'ncompress', 'compress -cf', 'compress -b 10 -c'),
  lone('fast.br', 'zlib', () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  lone('window.br', 'Brotli', 'brotli -c -q 9 -w 24 in > "$0"'),
  lone('small.br', 'Brotli', 'brotli -c -q 11 -w 10 in > "$0"'),
  fixed('cab', 'gcab', files(plain), ['modes']),
  by('stored.cab', 'gcab', `gcab -c "$0" ${names}`, flat, ['modes']),
  by('zipped.cab', 'gcab', `gcab -cz "$0" ${names}`, flat, ['modes']),
  fixed('iso', 'xorriso', linked, ['write permission']),
  by('rock.iso', 'genisoimage', 'genisoimage -quiet -R -l -o "$0" .', full, ['write permission']),
  by('libarchive.iso', 'libarchive', 'bsdtar --format=iso9660 -cf "$0" .', full, ['write permission']),
  packed('universal.iso', 'genisoimage', plain, ['modes'], archiveKinds['universal.iso']!.make),
  fixed('cpio', 'GNU cpio', linked),
  packed('odc.cpio', 'GNU cpio', linked, [], archiveKinds['odc.cpio']!.make),
  by('libarchive.cpio', 'libarchive', 'bsdtar --format=newc -cf "$0" .'),
  fixed('ar', 'GNU binutils', flat),
  by('libarchive.ar', 'libarchive', `bsdtar --format=ar -cf "$0" ${names}`, flat),
  by('bsd.ar', 'libarchive', `bsdtar --format=arbsd -cf "$0" ${names}`, flat),
  fixed('deb', 'dpkg', linked),
  ...['gzip', 'zstd'].map((kind) =>
    by(`${kind}.deb`, 'dpkg', `${control}; dpkg-deb --root-owner-group -Z${kind} --build . "$0" > /dev/null`),
  ),
  fixed('rpm', 'rpm', rpmTree(linked)),
  fixed('lha', 'hand', plain),
  fixed('wim', 'wimlib', linked, ['modes']),
  by('solid.wim', 'wimlib', 'wimcapture . "$0" --compress=LZX > /dev/null', plain, ['modes']),
  by('none.wim', '7-Zip', '7zz a -bd -bso0 -twim "$0" .', plain, ['modes']),
  fixed('arj', 'ARJ', files(plain), ['folders']),
  by('fast.arj', 'ARJ', `arj a -m4 -i -y "$0" ${names} > /dev/null`, flat),
  by('stored.arj', 'ARJ', `arj a -m0 -i -y "$0" ${names} > /dev/null`, flat),
]
