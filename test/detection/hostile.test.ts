import { gzipSync } from 'node:zlib'
import t from 'tap'
import { boundSource } from '../../kernel/detection/source.ts'
import {
  be32,
  box,
  ebml,
  end,
  join,
  latin,
  matroska,
  movie,
  mp3,
  noise,
  oggPage,
  ole,
  peek,
  tar,
  tiff,
  u16,
  u32,
  zip,
} from './build.ts'
import { detect } from './detection.ts'

/** Most bytes and calls that one detection may read. */
const MAX = { bytes: 9 * 1024 * 1024, reads: 1600 }
const eight = (value: bigint) => {
  const b = Buffer.alloc(8)
  b.writeBigUInt64LE(value)
  return b
}
const big = (value: bigint) => eight(value).reverse() as Buffer

function lie(bytes: Buffer, at: number, value: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  value.copy(copy, at)
  return copy
}

const small = zip({ 'a.txt': 'hello' })
const ending = small.length - 22
const many = zip(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`folder/file-${i}.txt`, ''])))
const ftyp = box('ftyp', 'isom', u32(0), 'isom')
const circle = ole(['WordDocument'], { next: 1 })

const HOSTILE: [label: string, expected: string | undefined, bytes: Buffer][] = [
  ['a zip of 20,000 entries', 'zip', many],
  [
    'an office file behind 20,000 entries',
    'zip',
    zip({ ...Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}`, ''])), 'word/document.xml': '' }),
  ],
  ['a directory of 4 GB', 'zip', lie(small, ending + 12, u32(0xfffffff0))],
  ['a directory behind the end', 'zip', lie(small, ending + 16, u32(0xfffffff0))],
  [
    'a zip64 locator that leads nowhere',
    'zip',
    join(
      small.subarray(0, ending),
      'PK\x06\x07',
      u32(0),
      eight(0xffffffffffffff00n),
      u32(1),
      end(1, 0xffffffff, 0xffffffff),
    ),
  ],
  [
    'a zip64 record that lies',
    'zip',
    join(
      small.subarray(0, ending),
      'PK\x06\x06',
      Buffer.alloc(36),
      eight(1n << 62n),
      eight(1n << 62n),
      'PK\x06\x07',
      u32(0),
      eight(BigInt(ending)),
      u32(1),
      end(1, 0xffffffff, 0xffffffff),
    ),
  ],
  ['zip ends all over', 'zip', join('PK\x03\x04', Buffer.alloc(26), Buffer.alloc(65_000, 'PK\x05\x06'))],
  ['local headers all over', 'zip', Buffer.alloc(200_000, 'PK\x03\x04')],
  [
    'a bomb in [Content_Types].xml',
    'zip',
    zip({ '[Content_Types].xml': Buffer.alloc(50_000_000, ' ') }, { deflate: true }),
  ],
  ['a bomb in mimetype', 'zip', zip({ mimetype: Buffer.alloc(50_000_000, ' ') }, { deflate: true })],
  ['a gzip bomb', 'gz', gzipSync(Buffer.alloc(50_000_000))],
  ['a compound file that runs in a circle', 'doc', circle],
  ['a compound file whose FAT is elsewhere', 'doc', lie(ole(['WordDocument']), 76, u32(0x7fffffff))],
  [
    'a compound file of DIFAT chains',
    undefined,
    lie(lie(join(ole(['X']), Buffer.alloc(60_000, 0)), 48, u32(60_000)), 68, u32(1)),
  ],
  ['a box of size 0', 'mp4', join(ftyp, be32(0), 'free', noise(5000))],
  ['a box of size 1 and no length', 'mp4', join(ftyp, be32(1), 'free')],
  ['a box of size 1 and a length of 2^63', 'mp4', join(ftyp, be32(1), 'moov', big(1n << 63n), noise(5000))],
  ['a box of size 1 and a length of 0', 'mp4', join(ftyp, be32(1), 'free', big(0n), noise(5000))],
  ['boxes of size 8 without end', 'mp4', join(ftyp, ...Array.from({ length: 8000 }, () => box('free')))],
  ['tracks without end', 'm4a', join(ftyp, movie(...Array.from({ length: 2000 }, () => 'soun')))],
  ['ftyp of 4 GB', 'mp4', join(be32(0xffffffff), 'ftypisom', noise(3000))],
  [
    'EBML of endless size',
    'mkv',
    join(
      ebml('1a45dfa3', ebml('4282', 'matroska')),
      Buffer.from('1853806701ffffffffffffff', 'hex'),
      Buffer.alloc(5000, 0xec81),
    ),
  ],
  [
    'tracks of 2^56 bytes',
    'mkv',
    join(
      ebml('1a45dfa3', ebml('4282', 'matroska')),
      Buffer.from('1853806701ffffffffffffff1654ae6b01fffffffffffffe', 'hex'),
      noise(3000),
    ),
  ],
  ['pages that never advance', 'ogg', join(...Array.from({ length: 3000 }, () => oggPage('\x01vorbis')))],
  ['an ID3 tag of 256 MB', 'mp3', join('ID3\x03\0\0\x7f\x7f\x7f\x7f', noise(3000))],
  ['ID3 tags without end', 'mp3', Buffer.alloc(100_000, latin('ID3\x03\0\0\0\0\0\0'))],
  ['sync bytes without frames', undefined, join('\0', Buffer.alloc(100_000, 0xff))],
  ['a TIFF directory outside', 'tif', join('II*\0', u32(0xfffffff0), Buffer.alloc(50))],
  ['a TIFF directory of 65,535 entries', 'tif', join('II*\0', u32(8), u16(65_535), noise(5000))],
  ['a maker of 4 GB', 'tif', lie(tiff({ 271: 'NIKON' }), 14, u32(0xffffffff))],
  [
    'an ASF header of 2^64',
    'asf',
    join(Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(8, 0xff), noise(3000)),
  ],
  [
    'a Palm record far away',
    'mobi',
    join(Buffer.alloc(60), 'BOOKMOBI', Buffer.alloc(8), u16(1), be32(0xfffffff0), Buffer.alloc(9)),
  ],
  ['XML of comments', undefined, Buffer.alloc(2_000_000, '<!-- -->')],
  ['XML of open comments', 'txt', Buffer.alloc(2_000_000, '<!-- ')],
  ['a document type that never ends', 'txt', join('<!DOCTYPE svg [', Buffer.alloc(2_000_000, '<!ENTITY a "b">'))],
  ['a start tag that never ends', 'svg', join('<svg ', Buffer.alloc(2_000_000, 'a="b" '))],
  ['JSON of brackets', 'json', Buffer.alloc(2_000_000, '[')],
  ['JSON of one string', 'json', join('{"', Buffer.alloc(2_000_000, 'a'))],
  ['JSON of escapes', 'json', join('{"', Buffer.alloc(2_000_000, '\\'))],
  ['a line that never ends', 'txt', Buffer.alloc(2_000_000, 'word ')],
  ['spaces', undefined, Buffer.alloc(2_000_000, ' ')],
  ['separators', 'csv', Buffer.alloc(2_000_000, ',,,,\n')],
  ['quotes', 'txt', Buffer.alloc(2_000_000, '"')],
  ['header fields without end', 'yaml', Buffer.alloc(2_000_000, 'X-A: b\n')],
  ['stars and brackets', 'txt', Buffer.alloc(2_000_000, '**[[((`<')],
  ['printer language without end', 'txt', Buffer.alloc(2_000_000, '@PJL X\n')],
  ['blank lines and a word', 'txt', join(Buffer.alloc(60_000, '\n'), 'word')],
  ['comments of a drawing without end', 'txt', Buffer.alloc(2_000_000, '999\n')],
  ['spaces before a sign', 'txt', join('::', Buffer.alloc(60_000, ' '), 'x\n', Buffer.alloc(5000, '= '))],
  ['equal signs', 'txt', Buffer.alloc(60_000, '=')],
  ['defines', 'txt', Buffer.alloc(60_000, '#define a')],
  ['numbers of a pixmap', undefined, Buffer.alloc(2_000_000, '0')],
]

t.test('a hostile file costs a limited number of bytes and gets an answer', async (t) => {
  for (const [label, expected, bytes] of HOSTILE) {
    const file = peek(bytes)
    const seen = await detect(file, '')
    if (expected) t.same(seen, { extension: expected }, label)
    else t.notMatch(seen, { extension: /^(exe|png|docx)$/ }, label)
    t.ok(
      file.cost.bytes <= MAX.bytes && file.cost.reads <= MAX.reads,
      `${label}: ${file.cost.bytes} bytes in ${file.cost.reads} reads`,
    )
  }
})

t.test('a file gets a limited number of reads, however small', async (t) => {
  const file = peek('hello')
  const { read } = await boundSource(file)
  for (let many = 1; many < MAX.reads - 100; many++) await read(0, 1)
  await t.rejects(read(0, 1), { message: 'The file asks for too many reads' })
})

t.test('a wrong size in a header changes nothing', async (t) => {
  for (const bytes of [many, circle, join(ftyp, movie('vide')), matroska('webm', 1), mp3(5), tar()]) {
    const honest = await detect(peek(bytes), '')
    const file = peek(bytes, bytes.length + 1_000_000_000_000)
    const seen = await detect(file, '')
    // Where the end of a file decides, as for a zip's directory, the head still tells the family.
    t.match(seen, honest, bytes.toString('latin1', 0, 8))
    t.ok(file.cost.bytes <= MAX.bytes, 'bounded')
  }
})

t.test('every prefix and every damaged byte of a file gets an answer', async (t) => {
  const files = [
    small,
    ole(['WordDocument']),
    join(ftyp, movie('vide')),
    matroska('matroska', 2),
    tiff({ 271: 'SONY', 254: 1 }),
    oggPage('OpusHead'),
    tar(),
    mp3(2),
  ]
  for (const bytes of files) {
    for (let length = 1; length < Math.min(bytes.length, 700); length += 3)
      await detect(peek(bytes.subarray(0, length)), 'a.bin')
    for (let at = 0; at < Math.min(bytes.length, 700); at += 2) {
      const broken = Buffer.from(bytes)
      broken[at]! ^= 0xff
      await detect(peek(broken), 'a.bin')
    }
  }
  await t.rejects(
    detect(
      {
        size: 10,
        read: async () => {
          throw new Error('disk')
        },
      },
      '',
    ),
    /disk/,
    'only a failing disk is an error',
  )
})
