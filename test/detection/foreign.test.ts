/** Formats of external plugins take precedence over the bundled formats, but only for themselves. */
import { deflateSync } from 'node:zlib'
import t from 'tap'
import type { Format } from '../../kernel/contract.ts'
import subtitle from '../../plugins/subtitle/index.ts'
import { join, peek, zip } from './build.ts'
import { detect, detectWith } from './detection.ts'

const mime = 'application/x-outside'
const starts = (bytes: string) => (head: Uint8Array) => Buffer.from(head).toString('latin1').startsWith(bytes)

/** A TrueType font with one table, which the bundled formats refuse. */
const font = join('\0\x01\0\0\0\x01\0\x10\0\0\0\0', 'glyf', Buffer.alloc(64))

t.test('a refused kind of file becomes a format through its plugin', async (t) => {
  t.match(await detect(peek(font), 'a.ttf'), { refused: /fonts/ })
  for (const ttf of [
    { mime, signatures: ['\0\x01\0\0\0'] },
    { mime, sniff: starts('\0\x01\0\0\0') },
  ] as Format[])
    t.same(await detectWith({ ttf })(peek(font), ''), { extension: 'ttf' })
})

t.test("a plugin's zip-based format is not detected as zip, and a zip still is", async (t) => {
  const inside = zip({ mimetype: 'application/x-sketch', 'page.json': '{}' })
  t.same(await detect(peek(inside), 'a.sketch'), { extension: 'zip' })
  const sniff = (head: Uint8Array) => Buffer.from(head).includes('mimetypeapplication/x-sketch')
  const outside = detectWith({ sketch: { mime, sniff } })
  t.same(await outside(peek(inside), ''), { extension: 'sketch' })
  t.same(await outside(peek(zip({ 'a.txt': 'x' })), 'a.sketch'), { extension: 'zip' }, 'whatever its name')
})

t.test('signatures can be anywhere in the first bytes, or patterns', async (t) => {
  const picture = join('\x89PNG\r\n\x1a\n', Buffer.alloc(200), 'MARK', deflateSync('x'))
  const detects = (signatures: Format['signatures']) => detectWith({ own: { mime, signatures: signatures! } })
  t.same(await detects([{ bytes: 'MARK', at: 208 }])(peek(picture), 'a.png'), { extension: 'own' })
  t.same(await detects([/^\x89PN[A-Z]/])(peek(picture), 'a.png'), { extension: 'own' })
  t.notMatch(await detects([{ bytes: 'MARK', at: 207 }])(peek(picture), 'a.png'), { extension: 'own' })
})

t.test('the mark at the start of a text identifies its format, otherwise its name', async (t) => {
  const subtitles: Record<string, Format> = {
    vtt: { mime, marks: [/^WEBVTT\b/] },
    sub: { mime, text: 'plain', aliases: ['subs'] },
  }
  const outside = detectWith(subtitles)
  t.same(await outside(peek('\ufeffWEBVTT\n\nHello\n'), 'a.txt'), { extension: 'vtt' })
  t.same(await outside(peek('{10}{20}Hello\n'), 'a.subs'), { extension: 'sub' })
  t.same(await detect(peek('{10}{20}Hello\n'), 'a.subs'), { extension: 'txt' })
  t.same(await outside(peek('{"a": 1}\n'), 'a.sub'), { extension: 'json' }, 'content goes before a name')
})

t.test('SubRip with line ends of Windows, Unix and old Macs', async (t) => {
  for (const end of ['\r\n', '\n', '\r'])
    for (const number of [`1${end}`, ''])
      t.same(await detectWith(subtitle.formats)(peek(`${number}00:00:01,000 --> 00:00:02,000${end}Hello${end}`), ''), {
        extension: 'srt',
      })
  const whole = peek('1\n00:00:01 --> 00:00:02\nHello\n')
  t.same(await detectWith(subtitle.formats)(whole, ''), { extension: 'srt' }, 'whole seconds')
})

t.test('if a sniffer throws, the others still detect the file', async (t) => {
  const sniff = () => {
    throw new Error('broken')
  }
  t.same(await detectWith({ bad: { mime, sniff } })(peek('%PDF-1.4\n'), ''), { extension: 'pdf' })
})
