import type { Family } from '../family.ts'

/** The mark of the first entry of a zip, or of the end of an empty one. */
const isZip = (head: Uint8Array) => /^PK(\x03\x04|\x05\x06)/.test(Buffer.from(head.subarray(0, 4)).toString('latin1'))

/** Archives and compressed files. A compressed tar is one format, not two. */
export const archives = {
  // By the mark only: the zipped parts of an ebook, for example, would be detected as that ebook.
  zip: { mime: 'application/zip', holds: isZip },
  '7z': { mime: 'application/x-7z-compressed', signatures: ['7z\xbc\xaf\x27\x1c'], fileType: '7z' },
  rar: { mime: 'application/vnd.rar', signatures: ['Rar!\x1a\x07', 'RE~^'], fileType: 'rar' },
  tar: { mime: 'application/x-tar' },
  'tar.gz': { mime: 'application/gzip', aliases: ['tgz'] },
  'tar.bz2': { mime: 'application/x-bzip2', aliases: ['tbz2', 'tbz', 'tb2'] },
  'tar.xz': { mime: 'application/x-xz', aliases: ['txz'] },
  'tar.zst': { mime: 'application/zstd', aliases: ['tzst'], hints: ['tar.zstd'] },
  'tar.lz4': { mime: 'application/x-lz4', aliases: ['tlz4'] },
  'tar.lz': { mime: 'application/lzip' },
  'tar.lzma': { mime: 'application/x-lzma', aliases: ['tlz'] },
  'tar.z': { mime: 'application/x-compress', aliases: ['taz'] },
  gz: { mime: 'application/gzip', aliases: ['gzip'] },
  bz2: { mime: 'application/x-bzip2', aliases: ['bz'] },
  xz: { mime: 'application/x-xz', fileType: 'xz' },
  zst: { mime: 'application/zstd' },
  lz4: { mime: 'application/x-lz4' },
  lzma: { mime: 'application/x-lzma' },
  lz: { mime: 'application/lzip' },
  br: { mime: 'application/x-brotli', label: 'Brotli' },
  cab: { mime: 'application/vnd.ms-cab-compressed', signatures: ['MSCF'] },
  iso: { mime: 'application/x-iso9660-image', fileType: 'iso' },
  jar: { mime: 'application/java-archive' },
  cpio: { mime: 'application/x-cpio', signatures: ['070701', '070702', '070707'] },
  // A deb is an ar archive, too.
  ar: {
    mime: 'application/x-archive',
    signatures: [/^!<arch>\n(?!debian-binary)/],
    marks: [/^!<arch>\n(?!debian-binary)/],
  },
  deb: {
    mime: 'application/vnd.debian.binary-package',
    signatures: ['!<arch>\ndebian-binary'],
    marks: [/^!<arch>\ndebian-binary/],
  },
  rpm: { mime: 'application/x-rpm', signatures: ['\xed\xab\xee\xdb'] },
  lha: {
    mime: 'application/x-lzh-compressed',
    aliases: ['lzh'],
    signatures: [/^.{2}-(lh[\da-d]|lz[\ds45]|pm[\ds])-/s],
    fileType: 'lzh',
  },
  wim: { mime: 'application/x-ms-wim', signatures: ['MSWIM\0\0\0', 'WLPWM\0\0\0'] },
  arj: { mime: 'application/x-arj' },
  z: { mime: 'application/x-compress', label: 'compress (.Z)' },
} satisfies Family

/** Compressed tar archives. */
export const compressedTar = Object.keys(archives).filter((extension) => extension.startsWith('tar.'))
