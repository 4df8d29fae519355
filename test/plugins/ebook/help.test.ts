/** Compiled help files: every page in the order of the contents, with all its text, in any character set. */
import t from 'tap'
import { chm } from '../../fixtures/chm.ts'
import { program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'
import { reader } from './reading.ts'

t.setTimeout(60 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())
const { book, raw } = reader(own)

const link = (name: string, local = '') =>
  `<li><object type="text/sitemap"><param name="Name" value="${name}">${local && `<param name="Local" value="${local}">`}</object>`

/** The system file: the contents and the language of a help file. */
function system(contents: string, language: number): Buffer {
  const entry = (code: number, fact: Buffer) => Buffer.concat([Buffer.from([code, 0, fact.length, 0]), fact])
  const tongue = Buffer.alloc(8)
  tongue.writeUInt32LE(language)
  return Buffer.concat([Buffer.from('03000000', 'hex'), entry(0, Buffer.from(`${contents}\0`)), entry(4, tongue)])
}

const page = (body: string) => `<html><head><title>T</title></head><body>${body}</body></html>`

const help = chm({
  '#SYSTEM': system('toc.hhc', 0x409),
  'toc.hhc': `<html><body><ul>${link('Second', 'b/two.htm')}${link('Part')}<ul>${link('First', 'one.htm#x')}</ul></ul></body></html>`,
  'one.htm': page(`<h1 id="x">One</h1><foo>unknown <bar>words</bar></foo><MSHelp:link>named words</MSHelp:link>
<pre>int  main()\n  return</pre><xmp>if (a < b) &amp; c</xmp><listing>10 PRINT</listing><custom-box><p>boxed</p></custom-box>
<a href="mk:@MSITStore:other.chm::/b/two.htm#y">see two</a><img src="pics/a.gif"><script>scripted()</script>`),
  'b/two.htm': page('<h1>Two</h1><p id="y">second page <a href="../ONE.htm">back</a></p>'),
  'apart10.htm': page('<p>apart ten</p>'),
  'apart9.htm': page('<p>apart\fnine&#7;</p>'), // letters that XML cannot have
  'frames.htm': '<html><frameset cols="1,*"><frame src="one.htm"></frameset></html>',
  'pics/a.gif': Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64'),
})

t.test('all pages and all their text, in order', async (t) => {
  const { text, contents, pictures } = await book(help, 'chm>epub')
  t.match(text, /Two\s+second page back\s[\s\S]*One\s+unknown words\s*named words\s[\s\S]*apart nine\s[\s\S]*apart ten/)
  t.match(text, /int\s+main\(\)\s+return/)
  t.match(text, /if \(a (<|&lt;) b\)[\s\S]*10 PRINT[\s\S]*boxed/)
  t.notMatch(text, /scripted/)
  t.strictSame(contents, ['Second', 'Part', 'First'])
  t.equal(pictures.length, 1)
})

t.test('listings and links survive in documents', async (t) => {
  const md = await raw(help, 'chm>md')
  t.match(md, /(```\n| {4})\s*int {2}main\(\)\n( {4})? {2}return/)
  t.notMatch(md, /calibre|Unknown/)
  t.match(md, '[see two](#')
})

t.test('character sets: declared, or by the language of the file', async (t) => {
  const bytes = (html: string, ...text: string[]) =>
    Buffer.from(html.replace('%', Buffer.from(text.join(''), 'hex').toString('latin1')), 'latin1')
  const russian = 'cff0e8e2e5f220ece8f0'
  for (const [name, language, content, wanted] of [
    ['windows-1251', 0x419, bytes(page('<p>%</p>'), russian), 'Привет мир'],
    [
      'koi8-r, declared',
      0x409,
      bytes('<html><head><meta charset=koi8-r></head><body>%</body></html>', 'f0d2c9d7c5d4'),
      'Привет',
    ],
    ['Shift_JIS', 0x411, bytes(page('<p>%</p>'), '93fa967b8cea82cc967b95b6'), '日本語の本文'],
    ['GBK', 0x804, bytes(page('<p>%</p>'), 'd6d0cec4b0efd6fa'), '中文帮助'],
    ['UTF-8', 0x419, Buffer.from(page('<p>Привет</p>')), 'Привет'],
  ] as const) {
    const contents = bytes(`<ul>${link('%', 'a.htm')}</ul>`, name === 'windows-1251' ? russian : '41')
    const file = chm({
      '#SYSTEM': system('toc.hhc', language),
      'toc.hhc': contents,
      'a.htm': content,
      'b.htm': page('<p>b</p>'),
    })
    const made = await book(file, 'chm>epub')
    t.match(made.text, wanted, name)
    if (name === 'windows-1251') t.strictSame(made.contents, ['Привет мир'])
  }
})

t.test('a help file without a declared first page starts with one', async (t) => {
  t.match(
    (await book(chm({ 'page.htm': page('<h1>Harbour</h1><p>Some words alone.</p>') }), 'chm>epub')).text,
    /Some words alone/,
  )
})

t.test('lines are not drawn over each other', async (t) => {
  const styled = chm({
    '#SYSTEM': system('toc.hhc', 0x409),
    'toc.hhc': `<html><body><ul>${link('One', 'one.htm')}</ul></body></html>`,
    'one.htm': `<html><head><link rel="stylesheet" href="a.css"></head><body><h1>One</h1><p>Upper words</p><ul><li>Lower words</ul></body></html>`,
    'a.css': 'h1 { margin-bottom: -2.2em } ul { margin-top:-7em; margin-left: 15pt }',
  })
  const { path } = await own.convert(styled, 'chm>pdf')
  const layout = (await program('pdftotext', '-bbox', path, '-')).toString()
  const [, upper, lower] = /yMax="([\d.]+)">Upper<[\s\S]*yMin="([\d.]+)"[^>]*>Lower</.exec(layout) ?? []
  t.ok(Number(lower) > Number(upper), `${lower} is below ${upper}`)
})
