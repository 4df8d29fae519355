/** Conversions by calibre: titles, character sets, contents, help files, locks, and what is refused. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { epub } from '../../fixtures/ebook.ts'
import { stored } from '../../fixtures/files.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { NAMESPACES, paragraph, wordDocument } from '../document/word.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['ebook'])
const { book, code, made, raw } = reader(own)

const bytes = async (format: string) => readFile((await sample(format, 'ebook')).path)

t.test('a page: its title or the name of the file, its headings, its lists, and nothing from elsewhere', async (t) => {
  const page = `<!DOCTYPE html><html><head><link rel="stylesheet" href="file:///usr/share/doc/bash/copyright"></head>
<body><h1>One</h1><p>Words <a href="file:///etc/passwd">there</a> <a href="http://127.0.0.1:1/a">on</a></p><h2>Below</h2>
<img src="/proc/self/environ"><img src="http://127.0.0.1:1/b.png"><iframe src="file:///etc/passwd"></iframe></body></html>`
  const name = 'Größe – of “it”; --cover=x'
  const found = await book(page, 'html>epub', { name })
  t.match(found, { title: name, contents: ['One', 'Below'], pictures: [] })
  t.match(found.text, /Words there on/)
  t.equal(found.cover, undefined, 'and no cover that nobody made')
  const list = '<ul><li>one<ol start="3"><li><p><b>three</b> words</p></li><li>four</li></ol></li></ul>'
  const text = (await raw(`<html><body><h1>A</h1>${list}</body></html>`, 'html>fb2')).replaceAll(/<[^>]+>/g, '')
  t.match(text, /\u2022 one\s+3\. three words\s+4\. four/)
})

t.test('the pages of a comic are not changed, and progress never falls', async (t) => {
  const source = await bytes('cbz')
  const pages = (await readMembers(source)).filter(({ name }) => /\.(jpg|png)$/.test(name))
  const { pictures } = await book(source, 'cbz>epub')
  t.ok(pages.length > 1)
  for (const { name, content } of pages)
    t.ok(
      pictures.some((picture) => picture.equals(content)),
      name,
    )
  const { progress } = await made(await bytes('epub'), 'epub>mobi')
  t.ok(progress.length >= 3 && progress.every((step, at) => step >= (progress[at - 1] ?? 0)), progress.join(' '))
})

t.test('a Word document: headings with and without numbers, and lists that go on', async (t) => {
  const level = (format: string, text: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
  const lists = [level('none', ''), level('upperRoman', '%1'), level('decimal', '%1.')]
  const abstracts = lists.map((list, at) => `<w:abstractNum w:abstractNumId="${at}">${list}</w:abstractNum>`)
  const nums = lists.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at}"/></w:num>`)
  const numbering = `<w:numbering ${NAMESPACES}>${abstracts.join('')}${nums.join('')}</w:numbering>`
  const style = `<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style>`
  const member = (words: string, list: number, more = '') =>
    paragraph(words, `${more}<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`)
  const heading = (words: string, list: number) => member(words, list, '<w:pStyle w:val="H"/>')
  const body = [
    heading('Harbour', 1),
    ...[member('Oak', 3), member('Elm', 3), paragraph('Between.'), member('Ash', 3), member('unmarked', 1)],
    ...[heading('Signal', 2), paragraph('Light.'), heading('Return', 2), paragraph('Home.')],
  ].join('')
  const source = await wordDocument(body, [
    { name: 'numbering.xml', kind: 'numbering', content: numbering },
    { name: 'styles.xml', kind: 'styles', content: `<w:styles ${NAMESPACES}>${style}</w:styles>` },
  ])
  const { contents, text } = await book(source, 'docx>fb2')
  t.strictSame(contents, ['Harbour', 'I Signal', 'II Return'])
  t.match(text.replace(/\s+/g, ' '), /1\. Oak 2\. Elm Between\. 3\. Ash unmarked/)
})

t.test('a help file: all pages and all their text, in order', async (t) => {
  const { text, contents, pictures } = await book(stored('pages.chm'), 'chm>epub')
  t.match(text, /Two\s+second page back\s[\s\S]*One\s+unknown words\s*named words\s[\s\S]*apart nine\s[\s\S]*apart ten/)
  t.match(text, /int\s+main\(\)\s+return[\s\S]*if \(a (<|&lt;) b\)[\s\S]*10 PRINT[\s\S]*boxed/)
  t.notMatch(text, /scripted/)
  t.strictSame(contents, ['Second', 'Part', 'First'])
  t.equal(pictures.length, 1)
})

/** An EPUB with a licence of a shop, and with chapters that are encrypted or not. */
async function licensed(name: string, isLocked: boolean) {
  const files = { ...(await epub()), [name]: '<rights/>' }
  for (const part of Object.keys(files)) if (isLocked && part.endsWith('.xhtml')) files[part] = Buffer.alloc(999, 0xa7)
  return zipped(files)
}

/** An EPUB that declares one of its parts as encrypted with `algorithm`. */
const encrypted = async (algorithm: string) =>
  zipped({
    ...(await epub()),
    'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="OEBPS/cover.jpg"/></e:CipherData></e:EncryptedData></encryption>`,
  })

/** A Mobipocket or Palm file with other fields of its first record, by place and size. */
async function changed(
  format: string,
  fields: Readonly<Record<number, readonly [bytes: number, value: number]>>,
  text?: Buffer,
) {
  const file = await bytes(format)
  const first = file.readUInt32BE(78)
  for (const [at, [size, value]] of Object.entries(fields)) file.writeUIntBE(value, first + Number(at), size)
  text?.copy(file, file.readUInt32BE(86))
  return file
}
const rights = { 168: [4, 5000], 172: [4, 1], 176: [4, 48], 180: [4, 0] } as const
const noise = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 167 + (index >> 3)) & 255))
const whole = /herring by lantern/

t.test('DRM, and licences and garbled fonts that are none', async (t) => {
  const start = (head: string | Buffer) => Buffer.concat([Buffer.from(head), Buffer.alloc(500, 0xa5)])
  const flagged = await bytes('htmlz')
  for (const mark of ['PK\x01\x02', 'PK\x03\x04'])
    for (let at = flagged.indexOf(mark, 0, 'latin1'); at >= 0; at = flagged.indexOf(mark, at + 4, 'latin1'))
      flagged[at + (mark.endsWith('\x02') ? 8 : 6)]! |= 1
  for (const [pair, file, what] of [
    ['epub>epub', await licensed('META-INF/license.lcpl', true)],
    ['epub>epub', await licensed('META-INF/sinf.xml', true)],
    ['epub>fb2', await licensed('rights.xml', true), 'a licence, and no text'],
    ['epub>mobi', await encrypted('http://www.w3.org/2001/04/xmlenc#aes128-cbc')],
    ['mobi>epub', await changed('mobi', { 12: [2, 2] })],
    ['pdb>epub', await changed('pdb', { 12: [2, 1] })],
    ['mobi>epub', await changed('mobi', rights, noise), 'rights, and no text'],
    ['azw3>epub', start('TPZ0\x06c\x04dkey\x01'), 'Topaz'],
    ['azw3>epub', start(Buffer.from('ea44524d494f4eee', 'hex')), 'KFX'],
    ['lrf>epub', start('L\0R\0X\0'), 'the Sony Reader'],
    ['htmlz>epub', flagged],
  ] as const)
    t.equal(await code(file, pair), 'ENCRYPTED_INPUT', `${pair} ${what ?? ''}`)
  const garbled = await encrypted('http://www.idpf.org/2008/embedding')
  t.match((await book(garbled, 'epub>epub')).text, whole)
  t.match((await book(await licensed('META-INF/rights.xml', false), 'epub>epub')).text, whole)
  t.match((await book(await changed('mobi', rights), 'mobi>epub')).text, whole)
})

t.test('broken files are refused, and the next file is converted', async (t) => {
  for (const pair of ['epub>epub', 'mobi>epub', 'lit>epub', 'chm>epub'])
    t.equal(await code((await bytes(pair.split('>')[0]!)).subarray(0, 300), pair), 'CONVERSION_ERROR', pair)
  t.match(await raw(await bytes('epub'), 'epub>fb2'), whole)
})

t.test('a chapter cannot get other files', async (t) => {
  const chapter = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>start &x; end</p><img src="file:///etc/passwd"/><img src="../../../../etc/passwd"/></body></html>`
  const file = await zipped({ ...(await epub()), 'OEBPS/part1.xhtml': chapter, 'up/up/up/tmp/escaped': 'x' })
  const climbing = file.toString('latin1').replaceAll('up/up/up/tmp', '../../../tmp')
  const text = await raw(Buffer.from(climbing, 'latin1'), 'epub>fb2').catch(({ code }) => code)
  t.match(text, /CONVERSION_ERROR|start/)
  t.notMatch(text, /\d:\d+:\d+:/)
})
