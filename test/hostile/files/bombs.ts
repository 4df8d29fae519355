import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk, signature, words } from '../../../engines/programs/sharp/png.ts'
import { pdfOf } from '../../fixtures/pdf.ts'
import { zipped } from '../../fixtures/zip.ts'
import { rawTar } from '../../plugins/archive/tar.ts'

/** A small file that unpacks to a large one, or takes forever to convert. */
export interface Bomb {
  what: string
  name: string
  content: () => Promise<Buffer> | Buffer | string
  to: string
  /** Whether the fast tests use it. */
  quick: boolean
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
    signature,
    chunk('IHDR', words(width, height), Buffer.from([1, 0, 0, 0, 0])),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND'),
  ])
const ps = (body: string) => `%!PS-Adobe-3.0\n%%Pages: 1\n%%Page: 1 1\n${body}\n`

const stopped = ['RESOURCE_LIMIT', 'TIMEOUT'] as const
const refusedOrStopped = [...stopped, 'CONVERSION_ERROR'] as const
const anyHonest = [...refusedOrStopped, 'completed'] as const

const bomb = (
  what: string,
  name: string,
  to: string,
  ends: Bomb['ends'],
  content: Bomb['content'],
  quick = false,
): Bomb => ({ what, name, to, ends, content, quick })
/** A bomb that is stopped within a moment. */
const quickBomb = (...[what, name, to, ends, content]: Parameters<typeof bomb>) =>
  bomb(what, name, to, ends, content, true)

/** Bombs of every family. With a limit of a few seconds and 500 MB, each must be stopped, refused or harmless. */
export const bombs: readonly Bomb[] = [
  quickBomb('a billion laughs', 'a.svg', 'png', ['CONVERSION_ERROR'], () =>
    svg('<text>&l12;</text>', 9, laughs('svg')),
  ),
  bomb('a drawing of 10^11 uses', 'a.svg', 'pdf', refusedOrStopped, () =>
    svg(`<defs><rect id="g0" width="1" height="1"/>${uses}</defs><use xlink:href="#g11"/>`),
  ),
  quickBomb('an enormous drawing', 'a.svg', 'png', ['RESOURCE_LIMIT'], () =>
    svg('<rect width="100%" height="100%"/>', 1e6),
  ),
  bomb('a compressed drawing of 2 GB', 'a.svgz', 'svg', ['RESOURCE_LIMIT'], () =>
    gzipSync(Buffer.concat([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), Buffer.alloc(300e6, ' ')])),
  ),
  quickBomb('a picture of 3.6 gigapixels', 'a.png', 'jpg', ['RESOURCE_LIMIT'], () => png(60_000, 60_000)),
  bomb('a picture whose head lies', 'a.jpg', 'png', refusedOrStopped, async () =>
    lie(
      await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
        .jpeg()
        .toBuffer(),
    ),
  ),
  bomb('an animation of a million frames as a film', 'a.gif', 'mp4', ['RESOURCE_LIMIT'], () => gif(1_000_000)),
  bomb('an animation of 5,000 large frames', 'a.apng', 'gif', ['RESOURCE_LIMIT'], () => apng(5000, 16_000)),
  bomb('a tar of 100,001 files', 'a.tar.gz', 'zip', stopped, () =>
    gzipSync(rawTar(Array.from({ length: 100_001 }, (_, n) => ({ name: `${n}` })))),
  ),
  bomb('a gigabyte of nothing', 'a.gz', 'zip', stopped, () => gzipSync(Buffer.alloc(1.2e9))),
  quickBomb('a tree 5,000 deep', 'a.tar', 'zip', anyHonest, () =>
    rawTar([{ name: 'x' }, ...Array.from({ length: 40 }, (_, n) => ({ name: `${'d/'.repeat(45)}${n}` }))]),
  ),
  bomb('a package with a gigabyte inside', 'a.odt', 'pdf', refusedOrStopped, () =>
    zipped({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': Buffer.alloc(600e6, ' '),
      'META-INF/manifest.xml':
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>',
    }),
  ),
  quickBomb('aliases of YAML', 'a.yaml', 'json', refusedOrStopped, () =>
    [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghijkl'
        .split('')
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijkl'[at]}`).join()}]`),
    ].join('\n'),
  ),
  bomb(
    'XML 100,000 deep',
    'a.xml',
    'json',
    refusedOrStopped,
    () => `<a>${'<b>'.repeat(100_000)}${'</b>'.repeat(100_000)}</a>`,
  ),
  bomb('PostScript without end', 'a.ps', 'pdf', stopped, () => ps('{} loop')),
  bomb('PostScript that takes all memory', 'a.ps', 'pdf', refusedOrStopped, () =>
    ps('/a [ 4000 { 1000000 string } repeat ] def showpage'),
  ),
  bomb('a PDF compressed twice', 'a.pdf', 'png', anyHonest, () => doubled()),
  bomb('a PDF of a million pages', 'a.pdf', 'jpg', refusedOrStopped, () =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count 1000000 /Kids [${'3 0 R '.repeat(1_000_000)}] >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] >>',
    ]),
  ),
  bomb('a PDF whose pages are their own parents', 'a.pdf', 'png', refusedOrStopped, () =>
    pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>']),
  ),
  quickBomb('a mesh of four thousand million faces', 'a.stl', 'obj', [...refusedOrStopped, 'UNSUPPORTED_FORMAT'], () =>
    Buffer.concat([Buffer.alloc(80), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.alloc(50)]),
  ),
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
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] /Contents 4 0 R >>',
    Buffer.concat([
      Buffer.from(`<< /Filter [/FlateDecode /FlateDecode] /Length ${inner.length} >>\nstream\n`),
      inner,
      Buffer.from('\nendstream'),
    ]),
  ])
}
