/** What stands before the first chapter of a book. */
import sharp from 'sharp'
import t from 'tap'
import { epub } from '../../fixtures/ebook.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const { convert } = await bare(t, ['document'])
const red = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
const read = async (source: Buffer, pair: string) => (await convert(source, pair)).bytes.toString()

t.test('FictionBook: the cover, and entities of HTML', async (t) => {
  const binary = (await red.png().toBuffer()).toString('base64')
  const book = `<?xml version="1.0" encoding="utf-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><book-title>Caf&eacute;&nbsp;&mdash; One</book-title>
<coverpage><image l:href="#cover.png"/></coverpage></title-info></description>
<body><section><title><p>First</p></title><p>Na&iuml;ve &sigmaf; &hellip; &amp; &lt;&unheard;&gt;</p></section></body>
<binary id="cover.png" content-type="image/png">${binary}</binary></FictionBook>`
  const html = await read(Buffer.from(book), 'fb2>html')
  t.match(html, /<title>Café.— One<\/title>/)
  t.match(html, /<img[^>]*src="data:image\/png[\s\S]*First/, 'the cover comes first')
  t.match(html, /Naïve ς … &amp; &lt;&amp;unheard;&gt;/)
  t.notMatch(await read(Buffer.from(book), 'fb2>md'), /cover-image/)
  const bare = book.replace(/<coverpage>.*<\/coverpage>/, '')
  t.notMatch(await read(Buffer.from(bare), 'fb2>html'), /<img/)
})

t.test('EPUB: a title page that is marked as one', async (t) => {
  const files = await epub()
  const first = Object.keys(files).find((name) => String(files[name]).includes('ninety narrow steps'))!
  files[first] = String(files[first]).replace(
    /<body[^>]*>/,
    '$&<section xmlns:epub="http://www.idpf.org/2007/ops" epub:type="frontmatter titlepage"><p>Printed in Ystad</p></section>',
  )
  t.match(await read(await zipped(files), 'epub>md'), /Printed in Ystad[\s\S]*ninety narrow steps/)
})

t.test('tables and elements of HTML in a FictionBook', async (t) => {
  const body = `<table><tr><th>Ship</th></tr><tr><td>Ketch <sub>2</sub> &amp; co</td></tr></table>
<ul><li>first <b>item</b></li><ul><li>within</li></ul></ul><div>loose <p>in a line</p> words</div>
<p>a <a href="#n">plain link</a>, <a name="n">anchor</a><br/>and <u>underlined</u></p><date>May 1900</date>
<cite><p>quoted</p><text-author>Ada</text-author></cite><text-author>Bea</text-author>`
  const book = `<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body><section>${body}</section></body></FictionBook>`
  const md = await read(Buffer.from(book), 'fb2>md')
  t.match(md, /\| Ship +\|\n\|-+\|\n\| Ketch ~2~ & co +\|/)
  const rest = md.slice(md.indexOf('•')).replace(/\s+/g, ' ')
  t.match(
    rest,
    /• first item • within loose in a line words a \[plain link\].*, anchor and underlined May 1900 > quoted/,
  )
  t.match(rest, /> Ada Bea/)
})

t.test('notes of a FictionBook that refer to other notes and to themselves', async (t) => {
  const link = (id: string) => `<a l:href="#${id}" type="note">[${id}]</a>`
  const note = (id: string, text: string) => `<section id="${id}"><title><p>${id}</p></title><p>${text}</p></section>`
  const notes = [note('n1', `Outer ${link('n2')} end.`), note('n2', `<strong>Inner</strong> ${link('n2')} words.`)]
  const book = `<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><body><section><p>Text${link('n1')}.</p></section></body><body name="notes">${notes.join('')}</body></FictionBook>`
  const md = await read(Buffer.from(book), 'fb2>md')
  t.match(md, /Text\[\^1\]\.\s+\[\^1\]: Outer \\\[n2\\\] \(Inner \\?\[n2\\?\] words\.\) end\.\s*$/)
})
