import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk, signature, words } from '../../../engines/programs/sharp/png.ts'
import { zipped } from '../../fixtures/zip.ts'
import { rawTar } from '../../plugins/archive/tar.ts'

/** A small file that unpacks to a large one, or takes forever to convert. */
export interface Bomb {
  what: string
  name: string
  content: () => Promise<Buffer> | Buffer | string
  to: string
  /** Allowed outcomes: the status `completed`, the code of a failure, or the code with which the upload is refused. */
  ends: readonly string[]
}

const svg = (body: string, size = 9, before = '') =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${body}</svg>`
const laughs = (root: string) =>
  `<!DOCTYPE ${root} [<!ENTITY l0 "ha">${Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')}]>`
const uses = Array.from(
  { length: 11 },
  (_, i) => `<g id="g${i + 1}">${`<use xlink:href="#g${i}"/>`.repeat(10)}</g>`,
).join('')
const png = (width: number, height: number, ...more: Buffer[]) =>
  Buffer.concat([
    ...[signature, chunk('IHDR', words(width, height), Buffer.from([1, 0, 0, 0, 0])), ...more],
    ...[chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))), chunk('IEND')],
  ])
const cells =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
const ps = (body: string) => `%!PS-Adobe-3.0\n%%Pages: 1\n%%Page: 1 1\n${body}\n`

/** Makes a PDF with these objects and without a cross-reference table, which readers rebuild. */
const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.5\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from(`trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`),
  ])

const stopped = ['RESOURCE_LIMIT', 'TIMEOUT'] as const
const refusedOrStopped = [...stopped, 'CONVERSION_ERROR'] as const
const anyHonest = [...refusedOrStopped, 'completed'] as const

/** Bombs of every family. With a limit of a few seconds and 500 MB, each must be stopped, refused or harmless. */
export const bombs: readonly Bomb[] = [
  {
    what: 'a billion laughs',
    name: 'a.svg',
    content: () => svg('<text>&l12;</text>', 9, laughs('svg')),
    to: 'png',
    ends: ['CONVERSION_ERROR'],
  },
  {
    what: 'a drawing of 10^11 uses',
    name: 'a.svg',
    content: () => svg(`<defs><rect id="g0" width="1" height="1"/>${uses}</defs><use xlink:href="#g11"/>`),
    to: 'pdf',
    ends: refusedOrStopped,
  },
  {
    what: 'a drawing of 10^11 uses, traced',
    name: 'a.svg',
    content: () => svg(`<defs><rect id="g0" width="1" height="1"/>${uses}</defs><use xlink:href="#g11"/>`),
    to: 'emf',
    ends: refusedOrStopped,
  },
  {
    what: 'a thousand blurs',
    name: 'a.svg',
    content: () =>
      svg(
        `<filter id="f">${'<feGaussianBlur stdDeviation="400"/>'.repeat(1000)}</filter><rect width="4000" height="4000" filter="url(#f)"/>`,
        4000,
      ),
    to: 'png',
    ends: anyHonest,
  },
  {
    what: 'an enormous drawing',
    name: 'a.svg',
    content: () => svg('<rect width="100%" height="100%"/>', 1e6),
    to: 'png',
    ends: ['RESOURCE_LIMIT'],
  },
  {
    what: 'a deep drawing',
    name: 'a.svg',
    content: () => svg('<g>'.repeat(50_000) + '</g>'.repeat(50_000)),
    to: 'pdf',
    ends: anyHonest,
  },
  {
    what: 'a compressed drawing of 2 GB',
    name: 'a.svgz',
    content: () =>
      gzipSync(Buffer.concat([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), Buffer.alloc(300e6, ' ')])),
    to: 'svg',
    ends: ['RESOURCE_LIMIT'],
  },
  {
    what: 'a picture of 3.6 gigapixels',
    name: 'a.png',
    content: () => png(60_000, 60_000),
    to: 'jpg',
    ends: ['RESOURCE_LIMIT'],
  },
  {
    what: 'a picture with 200 MB of comment',
    name: 'a.png',
    content: () =>
      png(9, 9, chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(200e6, 65))]))),
    to: 'webp',
    ends: anyHonest,
  },
  {
    what: 'a picture whose head lies',
    name: 'a.jpg',
    content: async () =>
      lie(
        await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
          .jpeg()
          .toBuffer(),
      ),
    to: 'png',
    ends: refusedOrStopped,
  },
  {
    what: 'an animation of a million frames as a film',
    name: 'a.gif',
    content: () => gif(1_000_000),
    to: 'mp4',
    ends: ['RESOURCE_LIMIT'],
  },
  {
    what: 'an animation of 5,000 large frames',
    name: 'a.apng',
    content: () => apng(5000, 16_000),
    to: 'gif',
    ends: ['RESOURCE_LIMIT'],
  },
  { what: 'an animation without end', name: 'a.gif', content: () => gif(60_000), to: 'webp', ends: anyHonest },
  {
    what: 'a tar of 100,001 files',
    name: 'a.tar.gz',
    content: () => gzipSync(rawTar(Array.from({ length: 100_001 }, (_, n) => ({ name: `${n}` })))),
    to: 'zip',
    ends: stopped,
  },
  {
    what: 'a gigabyte of nothing',
    name: 'a.gz',
    content: () => gzipSync(Buffer.alloc(1.2e9)),
    to: 'zip',
    ends: ['RESOURCE_LIMIT'],
  },
  {
    what: 'a tree 5,000 deep',
    name: 'a.tar',
    content: () =>
      rawTar([{ name: 'x' }, ...Array.from({ length: 40 }, (_, n) => ({ name: `${'d/'.repeat(45)}${n}` }))]),
    to: 'zip',
    ends: anyHonest,
  },
  {
    what: 'a sheet of a thousand million cells',
    name: 'a.fods',
    content: () =>
      `<?xml version="1.0"?><office:document ${cells} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="string" table:number-columns-repeated="1024"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>`,
    to: 'csv',
    ends: anyHonest,
  },
  {
    what: 'a package with a gigabyte inside',
    name: 'a.odt',
    content: () =>
      zipped({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': Buffer.alloc(600e6, ' '),
        'META-INF/manifest.xml':
          '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>',
      }),
    to: 'pdf',
    ends: refusedOrStopped,
  },
  {
    what: 'a page 100,000 deep',
    name: 'a.html',
    content: () => `<html><body>${'<div>'.repeat(100_000)}x`,
    to: 'pdf',
    ends: anyHonest,
  },
  {
    what: 'brackets of Markdown',
    name: 'a.md',
    content: () => `# t\n\n${'['.repeat(30_000)}a${'](b)'.repeat(100)}`,
    to: 'html',
    ends: anyHonest,
  },
  {
    what: 'emphases of Markdown',
    name: 'b.md',
    content: () => `# t\n\n${'*a **b '.repeat(10_000)}`,
    to: 'docx',
    ends: anyHonest,
  },
  {
    what: 'aliases of YAML',
    name: 'a.yaml',
    content: () =>
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghijkl'
          .split('')
          .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijkl'[at]}`).join()}]`),
      ].join('\n'),
    to: 'json',
    ends: refusedOrStopped,
  },
  {
    what: 'XML 100,000 deep',
    name: 'a.xml',
    content: () => `<a>${'<b>'.repeat(100_000)}${'</b>'.repeat(100_000)}</a>`,
    to: 'json',
    ends: refusedOrStopped,
  },
  {
    what: 'JSON 100,000 deep',
    name: 'a.json',
    content: () => `${'['.repeat(100_000)}1${']'.repeat(100_000)}`,
    to: 'csv',
    ends: [...refusedOrStopped, 'UNSUPPORTED_FORMAT'],
  },
  { what: 'PostScript without end', name: 'a.ps', content: () => ps('{} loop'), to: 'pdf', ends: stopped },
  {
    what: 'PostScript that takes all memory',
    name: 'a.ps',
    content: () => ps('/a [ 4000 { 1000000 string } repeat ] def showpage'),
    to: 'pdf',
    ends: refusedOrStopped,
  },
  {
    what: 'PostScript of pages without end',
    name: 'a.ps',
    content: () => ps('{ 9 9 moveto 99 99 lineto stroke showpage } loop'),
    to: 'pdf',
    ends: stopped,
  },
  { what: 'a PDF compressed twice', name: 'a.pdf', content: () => doubled(), to: 'png', ends: anyHonest },
  {
    what: 'a PDF of a million pages',
    name: 'a.pdf',
    content: () =>
      pdf(
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count 1000000 /Kids [${'3 0 R '.repeat(1_000_000)}] >>`,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] >>',
      ),
    to: 'jpg',
    ends: refusedOrStopped,
  },
  {
    what: 'a PDF whose pages are their own parents',
    name: 'a.pdf',
    content: () => pdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>'),
    to: 'png',
    ends: refusedOrStopped,
  },
  {
    what: 'a page of 14 kilometres',
    name: 'a.pdf',
    content: () =>
      pdf(
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 40000000 40000000] >>',
      ),
    to: 'png',
    ends: anyHonest,
  },
  {
    what: 'a mesh of four thousand million faces',
    name: 'a.stl',
    content: () => Buffer.concat([Buffer.alloc(80), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.alloc(50)]),
    to: 'obj',
    ends: [...refusedOrStopped, 'UNSUPPORTED_FORMAT'],
  },
  {
    what: 'a sound whose head lies',
    name: 'a.wav',
    content: () =>
      Buffer.concat([
        Buffer.from(
          'RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data\xff\xff\xff\x7f',
          'latin1',
        ),
        Buffer.alloc(400),
      ]),
    to: 'mp3',
    ends: anyHonest,
  },
]

/** Sets the size in the header of a JPEG to the largest possible one. */
function lie(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(65_500, at + 5)
  jpeg.writeUInt16BE(65_500, at + 7)
  return jpeg
}

function apng(frames: number, side: number): Buffer {
  const frame = chunk('fcTL', words(0, 8, 8, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0]))
  const head = chunk('IHDR', words(side, side), Buffer.from([8, 2, 0, 0, 0]))
  const body = chunk('IDAT', deflateSync(Buffer.alloc(1_000_000)))
  return Buffer.concat([
    signature,
    head,
    chunk('acTL', words(frames, 0)),
    ...Array(frames).fill(frame),
    body,
    chunk('IEND'),
  ])
}

/** Makes a GIF with so many frames of one pixel on a canvas of 2,000 × 2,000. */
function gif(frames: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const head = Buffer.from('GIF89a\xd0\x07\xd0\x07\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  return Buffer.concat([head, ...Array(frames).fill(frame), Buffer.from(';')])
}

function doubled(): Buffer {
  const inner = deflateSync(deflateSync(Buffer.alloc(1e9, '0 0 m 1 1 l S ')))
  return pdf(
    ...['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] /Contents 4 0 R >>',
    Buffer.concat([
      Buffer.from(`<< /Filter [/FlateDecode /FlateDecode] /Length ${inner.length} >>\nstream\n`),
      inner,
      Buffer.from('\nendstream'),
    ]),
  )
}
