import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import {
  adts,
  be32,
  box,
  ebml,
  join,
  latin,
  matroska,
  movie,
  mp3,
  noise,
  oggPage,
  peek,
  tar,
  tiff,
  u16,
  u32,
} from './build.ts'
import { detect } from './detection.ts'

const zeros = (length: number) => Buffer.alloc(length)
const png = (...chunks: Buffer[]) =>
  join('\x89PNG\r\n\x1a\n', pngChunk('IHDR', latin('\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0')), ...chunks)
const pngChunk = (type: string, data: Buffer) => join(be32(data.length), type, data, u32(0))
const icon = (type: number) =>
  join(u16(0), u16(type), u16(1), Buffer.from([16, 16, 0, 0]), u16(1), u16(32), u32(64), u32(22), zeros(64))
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const palm = (kind: string, record: Buffer) => join(zeros(60), kind, zeros(8), u16(0x100), be32(82), record)
const mobi = (version: number) => join(zeros(16), 'MOBI', zeros(16), be32(version), zeros(40))
const ftyp = (major: string, ...brands: string[]) => box('ftyp', major, zeros(4), ...brands)
const asf = (stream: string, fourcc = '') =>
  join(
    Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
    u32(300),
    u32(0),
    u32(1),
    u16(0x201),
    Buffer.from('9107dcb7b7a9cf118ee600c00c205365', 'hex'),
    u32(150),
    u32(0),
    Buffer.from(stream, 'hex'),
    zeros(65),
    fourcc,
    zeros(200),
  )
const VIDEO = 'c0ef19bc4d5bcf11a8fd00805f5c442b'
const AUDIO = '409e69f84d5bcf11a8fd00805f5c442b'
const packets = (length: number, lead: number) =>
  join(...Array.from({ length: 8 }, (_, i) => join(zeros(lead), '\x47', noise(length - lead - 1, i + 1))))
const stl = (facets: number, text = 'solid made by a program') =>
  join(text, zeros(80 - text.length), u32(facets), zeros(facets * 50))
const targa = (type: number, footer: boolean) =>
  join(
    Buffer.from([0, 0, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0]),
    noise(48),
    footer ? join(zeros(8), 'TRUEVISION-XFILE.\0') : '',
  )

/** Expected format, name, bytes. If the name is missing, the bytes must identify the format. */
const SAMPLES: [format: string, name: string, bytes: Buffer][] = [
  ['png', '', png(pngChunk('IDAT', zeros(20)))],
  ['apng', '', png(pngChunk('acTL', zeros(8)), pngChunk('IDAT', zeros(20)))],
  ['png', 'photo.jpg', png(pngChunk('IDAT', zeros(20)))],
  ['jpg', '', join('\xff\xd8\xff\xe0\0\x10JFIF\0', zeros(40))],
  ['jls', '', join('\xff\xd8\xff\xe8\0\x04\0\0\xff\xf7\0\x0b', noise(40))],
  ['jpg', 'x.png', join('\xff\xd8\xff\xdb', noise(40))],
  ['jls', '', join('\xff\xd8\xff\xf7', zeros(40))],
  ['gif', '', join('GIF87a', zeros(40))],
  ['webp', '', join('RIFF', u32(40), 'WEBPVP8 ', zeros(40))],
  ['bmp', '', join('BM', zeros(12), u32(40), zeros(40))],
  ['bmp', '', join('BM', zeros(12), u32(12), zeros(40))],
  ['bmp', 'bare.dib', join(u32(40), u32(16), u32(12), Buffer.from([1, 0, 24, 0]), zeros(24), noise(576))],
  ['bmp', '', join('BM', zeros(12), u32(124), zeros(140))],
  ['bmp', 'old.dib', join('BA', zeros(12), 'BM', zeros(12), u32(12), zeros(40))],
  ['tif', '', tiff([[256, 4]])],
  [
    'tif',
    '',
    tiff(
      [
        [256, 4],
        [271, 'NIKON CORPORATION'],
      ],
      true,
    ),
  ],
  ['tif', '', join('II+\0', u16(8), u16(0), zeros(40))],
  [
    'nef',
    '',
    tiff([
      [254, 1],
      [271, 'NIKON CORPORATION'],
    ]),
  ],
  [
    'nef',
    'a.nef',
    tiff(
      [
        [256, 4],
        [271, 'NIKON CORPORATION'],
      ],
      true,
    ),
  ],
  [
    'arw',
    '',
    tiff([
      [254, 1],
      [271, 'SONY'],
    ]),
  ],
  [
    'pef',
    '',
    tiff(
      [
        [262, 32803],
        [271, 'PENTAX Corporation '],
      ],
      true,
    ),
  ],
  [
    'srw',
    'a.srw',
    tiff([
      [254, 1],
      [271, 'SAMSUNG'],
    ]),
  ],
  [
    'dng',
    '',
    tiff([
      [271, 'Apple'],
      [50706, 0x401],
    ]),
  ],
  ['tif', 'fake.nef', tiff([[256, 4]])],
  ['cr2', '', join('II*\0\x10\0\0\0CR\x02\0', zeros(40))],
  ['cr3', '', ftyp('crx ', 'crx ', 'isom')],
  ['crw', '', join('II\x1a\0\0\0HEAPCCDR', zeros(40))],
  ['orf', '', join('IIRO\x08\0\0\0', zeros(40))],
  ['rw2', '', join('IIU\0\x08\0\0\0', zeros(40))],
  ['raf', '', join('FUJIFILMCCD-RAW 0201', zeros(40))],
  ['ico', '', icon(1)],
  ['cur', '', icon(2)],
  ['icns', '', join('icns', be32(50), zeros(42))],
  ['jxl', '', join('\xff\x0a\xfa\x1f\x01', noise(40))],
  ['jxl', '', join(box('JXL ', '\r\n\x87\n'), ftyp('jxl ', 'jxl '))],
  ['jp2', '', join(box('jP  ', '\r\n\x87\n'), ftyp('jp2 ', 'jp2 '))],
  ['jp2', 'a.jpx', join(box('jP  ', '\r\n\x87\n'), ftyp('jpx ', 'jpx '))],
  ['jp2', 'a.j2k', join('\xff\x4f\xff\x51\0\x2f', zeros(60))],
  ['jxr', '', join('II\xbc\x01', zeros(40))],
  ['psd', '', join('8BPS\0\x01', zeros(30))],
  ['psb', '', join('8BPS\0\x02', zeros(30))],
  ['xcf', '', join('gimp xcf v011\0', zeros(30))],
  ['tga', '', targa(10, true)],
  ['tga', '', targa(2, false)],
  ['tga', 'a.tga', targa(10, false)],
  ['pcx', '', join('\x0a\x05\x01\x08', u16(0), u16(0), u16(9), u16(9), zeros(53), '\x03', zeros(70))],
  ['dcx', '', join('\xb1\x68\xde\x3a', zeros(60))],
  ['ppm', '', join('P6\n# made by hand\n4 4\n255\n', noise(48))],
  ['pgm', '', latin('P2\n2 2\n255\n1 2 3 4\n')],
  ['pbm', '', join('P4 8 2\n', noise(2))],
  ['pnm', 'a.pnm', join('P6 4 4 255\n', noise(48))],
  ['pam', '', join('P7\nWIDTH 2\nHEIGHT 2\nDEPTH 3\nMAXVAL 255\nENDHDR\n', noise(12))],
  ['pfm', '', join('PF\n2 2\n-1.0\n', noise(48))],
  ['sgi', '', join('\x01\xda\x01\x01\0\x03', zeros(600))],
  ['ras', '', join('\x59\xa6\x6a\x95', zeros(60))],
  ['xwd', '', join(be32(104), be32(7), be32(2), zeros(200))],
  ['dpx', '', join('SDPX', zeros(60))],
  ['cin', '', join('\x80\x2a\x5f\xd7', zeros(60))],
  ['exr', '', join('v/1\x01\x02\0\0\0', zeros(60))],
  ['hdr', '', join('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n', noise(16))],
  ['dds', '', join('DDS ', u32(124), zeros(130))],
  ['fits', '', join('SIMPLE  =                    T', zeros(100))],
  ['qoi', '', join('qoif', be32(2), be32(2), '\x04\0', zeros(20))],
  ['mng', '', join('\x8aMNG\r\n\x1a\n', zeros(30))],
  ['jng', '', join('\x8bJNG\r\n\x1a\n', zeros(30))],
  ['pict', '', join(zeros(522), '\0\x11\x02\xff\x0c\0', zeros(30))],
  ['pcd', '', join(zeros(2048), 'PCD_IPI', zeros(60))],
  ['dcm', '', join(zeros(128), 'DICM', zeros(30))],
  ['jb2', '', join('\x97JB2\r\n\x1a\n', zeros(30))],
  ['wbmp', 'a.wbmp', join('\0\0\x10\x02', noise(4))],
  ['avif', '', ftyp('avif', 'mif1', 'miaf')],
  ['avif', '', ftyp('avis', 'avif', 'msf1')],
  ['avif', '', ftyp('mif1', 'mif1', 'avif')],
  ['heic', '', ftyp('heic', 'mif1', 'heic')],
  ['heic', '', ftyp('mif1', 'heic', 'mif1')],
  ['heic', '', ftyp('hevc', 'msf1')],

  ['emf', '', join(u32(1), u32(88), zeros(32), ' EMF', zeros(60))],
  ['wmf', '', join('\xd7\xcd\xc6\x9a', zeros(60))],
  ['wmf', '', join('\x01\0\x09\0\0\x03', zeros(60))],
  ['cdr', '', join('RIFF', u32(40), 'CDR9vrsn', zeros(40))],
  ['eps', '', join('\xc5\xd0\xd3\xc6', u32(32), zeros(60))],
  ['svgz', '', gzipSync(svg)],
  ['svgz', 'a.svg.gz', gzipSync(`<?xml version="1.0"?><!-- made -->${svg}`)],

  ['dwg', '', join('AC1032', zeros(60))],
  ['dxf', '', join('AutoCAD Binary DXF\r\n\x1a\0', zeros(60))],
  ['stl', '', stl(3)],
  ['stl', 'a.txt', stl(1, '')],
  ['glb', '', join('glTF', u32(2), u32(100), zeros(88))],
  ['fbx', '', join('Kaydara FBX Binary  \0\x1a\0', zeros(60))],
  ['3ds', '', join('MM', u32(60), u16(0x3d3d), u32(54), zeros(48))],
  ['blend', '', join('BLENDER-v300', zeros(60))],
  ['blend', '', zstdCompressSync(join('BLENDER-v300', zeros(60)))],
  ['lwo', '', join('FORM', be32(50), 'LWO2TAGS', zeros(40))],
  ['x', '', join('xof 0303bin 0032', zeros(60))],
  ['ply', '', join('ply\nformat binary_little_endian 1.0\nelement vertex 1\nend_header\n', zeros(12))],

  ['mp4', '', join(ftyp('isom', 'isom', 'avc1'), movie('vide', 'soun'))],
  ['mp4', '', join(ftyp('dash', 'iso6'), movie('vide'), box('moof', zeros(40)), box('mdat', zeros(40)))],
  ['mp4', 'late.mov', join(ftyp('mp42', 'isom'), box('free'), box('mdat', noise(100_000)), movie('soun', 'vide'))],
  ['mp4', '', join(box('styp', 'msdh', zeros(4), 'msdh'), box('sidx', zeros(40)), box('moof', zeros(40)))],
  ['mp4', '', ftyp('M4V ', 'isom')],
  ['m4a', 'voice.mp4', join(ftyp('mp42', 'isom'), movie('soun'))],
  ['m4a', '', ftyp('M4A ', 'mp42')],
  ['m4b', '', ftyp('M4B ', 'mp42')],
  ['m4b', 'book.m4b', ftyp('M4A ', 'mp42')],
  ['m4r', 'ring.m4r', join(ftyp('mp42', 'isom'), movie('soun'))],
  ['f4v', '', ftyp('F4V ', 'isom')],
  ['mov', '', ftyp('qt  ', 'qt  ')],
  ['mov', '', join(box('wide'), box('mdat', zeros(60)), movie('vide'))],
  ['mov', '', join(movie('vide'), box('mdat', zeros(60)))],
  ['3gp', '', ftyp('3gp4', '3gp4', 'isom')],
  ['3g2', '', ftyp('3g2a', '3g2a')],
  ['mkv', '', matroska('matroska', 1, 2)],
  ['mka', '', matroska('matroska', 2)],
  ['webm', '', matroska('webm', 1)],
  ['weba', '', matroska('webm', 2)],
  [
    'mkv',
    '',
    join(
      ebml('1a45dfa3', ebml('4282', 'matroska')),
      Buffer.from('1853806701ffffffffffffff', 'hex'),
      ebml('1654ae6b', ebml('ae', ebml('83', '\x01'))),
    ),
  ],
  ['avi', '', join('RIFF', u32(40), 'AVI LIST', zeros(40))],
  ['wmv', '', asf(VIDEO, 'WMV3')],
  ['asf', '', asf(VIDEO, 'DIVX')],
  ['asf', 'a.asf', asf(VIDEO, 'WMV3')],
  ['wma', '', asf(AUDIO)],
  ['flv', '', join('FLV\x01\x05', zeros(30))],
  ['mpg', '', join('\0\0\x01\xba\x44', zeros(60))],
  ['mpg', '', join('\0\0\x01\xba\x21', zeros(60))],
  ['mpg', 'a.m2v', join('\0\0\x01\xb3', zeros(60))],
  ['vob', '', join('\0\0\x01\xba\x44', zeros(40), '\0\0\x01\xbf\x03\xd4', zeros(980))],
  ['ts', '', packets(188, 0)],
  ['m2ts', '', packets(192, 4)],
  ['mts', 'a.mts', packets(192, 4)],
  ['ogv', '', join(oggPage('fishead\0'), oggPage('\x01vorbis....'), oggPage('\x80theora...'))],
  ['mxf', '', join(Buffer.from('060e2b34020501010d01020101020400', 'hex'), zeros(60))],
  ['mxf', 'a.mxf', join(zeros(200), Buffer.from('060e2b34020501010d01020101020400', 'hex'), zeros(60))],
  ['dv', '', join('\x1f\x07\0\x3f', zeros(200))],
  ['rm', '', join('.RMF', zeros(20), 'MDPR', zeros(30), 'video/x-pn-realvideo', zeros(20))],
  ['rmvb', 'a.rmvb', join('.RMF', zeros(20), 'VIDORV40', zeros(20))],
  ['swf', '', join('CWS\x0a', u32(500), noise(60))],

  ['mp3', '', mp3(4)],
  ['mp3', '', join(zeros(1000), mp3(8))],
  ['mp3', 'a.mp3', join(zeros(9000), mp3(4))],
  ['mp3', '', join('ID3\x03\0\0\0\0\0\x20', zeros(32), mp3(4))],
  ['mp3', '', join('ID3\x03\0\0\0\0\x07\x68', Buffer.alloc(1000, 'a'), noise(70, 9), mp3(4))],
  ['aac', '', adts(5)],
  ['aac', 'a.mp3', join('ID3\x04\0\0\0\0\0\x08', zeros(8), adts(5))],
  ['flac', 'a.mp3', join('ID3\x04\0\0\0\0\0\x08', zeros(8), 'fLaC', zeros(60))],
  ['mp2', '', join(...Array.from({ length: 4 }, () => join('\xff\xfd\x80\0', zeros(413))))],
  ['wav', '', join('RIFF', u32(40), 'WAVEfmt ', zeros(40))],
  ['wav', '', join('RF64\xff\xff\xff\xffWAVEds64', zeros(40))],
  ['aiff', '', join('FORM', be32(40), 'AIFCFVER', zeros(40))],
  ['ogg', '', oggPage('\x01vorbis.....')],
  ['ogg', 'a.oga', oggPage('\x7fFLAC\x01......')],
  ['opus', 'a.ogg', oggPage('OpusHead\x01...')],
  ['spx', '', oggPage('Speex   1.2....')],
  ['amr', '', join('#!AMR-WB\n', noise(60))],
  [
    'ac3',
    '',
    (() => {
      const f = join('\x0b\x77\0\0\x14\x40', zeros(762))
      return join(f, f)
    })(),
  ],
  ['au', '', join('.snd', be32(24), zeros(60))],
  ['caf', '', join('caff\0\x01\0\0desc', zeros(60))],
  ['dts', '', join('\x7f\xfe\x80\x01', zeros(60))],
  ['ape', '', join('MAC \x96\x0f', zeros(60))],
  ['wv', '', join('wvpk', zeros(60))],
  ['tta', '', join('TTA1\x01\0', zeros(60))],
  ['voc', '', join('Creative Voice File\x1a', zeros(60))],
  ['ra', '', join('.ra\xfd\0\x04', zeros(60))],

  ['7z', '', join('7z\xbc\xaf\x27\x1c\0\x04', zeros(30))],
  ['cbr', 'a.cbr', join('Rar!\x1a\x07\x01\0', zeros(30))],
  ['tar', '', tar()],
  ['tar', '', tar('\0\0\0\0\0\0\0\0')],
  ['tar.gz', 'a.gz', gzipSync(tar())],
  ['gz', 'a.tar.gz', gzipSync('no tar in here')],
  ['tar.zst', '', zstdCompressSync(tar())],
  ['zst', '', zstdCompressSync(Buffer.alloc(2000, 'text '))],
  ['tar.bz2', 'a.tbz2', join('BZh91AY&SY', noise(40))],
  ['bz2', 'a.bz2', join('BZh91AY&SY', noise(40))],
  ['bz2', '', join('BZh9\x17rE8P\x90', zeros(4))],
  ['tar.xz', 'a.tar.xz', join('\xfd7zXZ\0\0\x04', noise(40))],
  ['lz4', '', join('\x04"M\x18', noise(40))],
  ['tar.lz', 'a.tar.lz', join('LZIP\x01\x0c', noise(40))],
  ['z', '', join('\x1f\x9d\x90', noise(40))],
  ['lzma', '', join('\x5d\0\0\x80\0', Buffer.alloc(8, 0xff), '\0', noise(40))],
  ['tar.lz', 'a.tlz', join('LZIP\x01\x0c', noise(40))],
  ['tar.xz', 'a.tar.gz', join('\xfd7zXZ\0\0\x04', noise(40))],
  ['br', 'a.tar.br', brotliCompressSync('words, words and words')],
  ['br', 'a.br', brotliCompressSync('words, words and words')],
  ['cab', '', join('MSCF', zeros(40))],
  ['iso', '', join(zeros(32_768), '\x01CD001\x01', zeros(2048))],
  ['cpio', '', latin('0707010000000000000000\0')],
  ['cpio', '', join('\xc7\x71', noise(60))],
  ['ar', '', latin('!<arch>\nhello.txt/      0           0     0     644     5         `\nhello\n')],
  ['deb', '', join('!<arch>\ndebian-binary   ', noise(60))],
  ['rpm', '', join('\xed\xab\xee\xdb\x03\0', zeros(60))],
  ['lha', '', join('\x22\x8a-lh5-', noise(60))],
  ['wim', '', join('MSWIM\0\0\0', zeros(60))],
  ['arj', '', join('\x60\xea', u16(40), '\x22', noise(60))],

  ['mobi', '', palm('BOOKMOBI', mobi(6))],
  ['azw3', 'a.mobi', palm('BOOKMOBI', mobi(8))],
  ['prc', 'a.prc', palm('BOOKMOBI', mobi(6))],
  ['pdb', '', palm('TEXtREAd', zeros(40))],
  ['lit', '', join('ITOLITLS', zeros(60))],
  ['lrf', '', join('L\0R\0F\0\0\0', zeros(60))],
  ['rb', '', join('\xb0\x0c\xb0\x0c', zeros(60))],
  ['chm', '', join('ITSF\x03\0\0\0', zeros(60))],
  ['djvu', '', join('AT&TFORM', be32(50), 'DJVMDIRM', zeros(40))],
  ['wpd', '', join('\xffWPC', zeros(60))],
  ['wri', '', join('\x31\xbe\0\0\0\xab', zeros(120))],
  ['xls', '', join('\x09\x04\x06\0\0\0\x10\0', zeros(60))],
  ['pdf', '', join('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', noise(60))],
  ['pdf', '', join('HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n', noise(200), '\nstartxref\n9\n%%EOF\n')],
]

t.test('every format is detected from its bytes, or from its name if they are ambiguous', async (t) => {
  for (const [format, name, bytes] of SAMPLES) {
    t.same(
      await detect(peek(bytes), name),
      { extension: format },
      `${format} as "${name}": ${JSON.stringify(bytes.toString('latin1', 0, 12))}`,
    )
  }
})

t.test('a wrong name changes nothing if the bytes are unambiguous', async (t) => {
  for (const [format, name, bytes] of SAMPLES.filter(([, given]) => given === '')) {
    t.same(await detect(peek(bytes), `${name}x.docx`), { extension: format }, `${format} called docx`)
  }
})
