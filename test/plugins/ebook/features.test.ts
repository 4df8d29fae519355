/** What people expect of a book that becomes a document: links, notes, emphasis, authors, cover, direction. */
import t from 'tap'
import { cover } from '../../fixtures/book.ts'
import { program } from '../../fixtures/program.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { reader } from './reading.ts'

const own = await bare(t, ['document'])
const { made, raw } = reader(own)

const page = (body: string, attributes = '') =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" ${attributes}>
<head><title>x</title><link rel="stylesheet" href="s.css" type="text/css"/></head><body>${body}</body></html>`
const item = (name: string, type = 'application/xhtml+xml', more = '') =>
  `<item id="${name.replace('.', '-')}" href="${name}" media-type="${type}" ${more}/>`

/** An EPUB 3 with the features that publishers use. */
const book = await zipped({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml':
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  'p.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Rich Book</dc:title><dc:creator>Ann Author</dc:creator><dc:creator>Bob Second</dc:creator><dc:language>en</dc:language>
<dc:identifier id="id">urn:isbn:9780000000002</dc:identifier></metadata><manifest>${item('cover.xhtml')}${item('c1.xhtml')}${item('c2.xhtml')}${item('notes.xhtml')}<item id="again" href="c2.xhtml" media-type="application/xhtml+xml"/>
${item('cover.jpg', 'image/jpeg', 'properties="cover-image"')}${item('s.css', 'text/css')}</manifest><spine><itemref idref="cover-xhtml"/>
<itemref idref="c1-xhtml"/><itemref idref="again"/><itemref idref="notes-xhtml"/></spine></package>`,
  'cover.jpg': await cover(),
  'cover.xhtml': page(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 3 4"><image width="3" height="4" xlink:href="cover.jpg"/></svg>',
  ),
  's.css': 'span.it, .other { font-style: italic } .heavy { color: red; font-weight: 700 }',
  'c1.xhtml':
    page(`<h1>Sea</h1><p>A <span class="it">slanted <span>inner</span></span> and <span class="heavy">heavy</span> word.<a epub:type="noteref" href="#f1">1</a><a epub:type="noteref" href="#f2">2</a>
See <a href="c2.xhtml#land">land</a>, <a href="c2.xhtml#cell">a cell</a>, <a href="notes.xhtml#e1">an end note</a>.</p>
<aside epub:type="footnote" id="f1"><p>The foot note.</p></aside><p epub:type="footnote" id="f2">A note in a paragraph.</p>`),
  'c2.xhtml': page(
    '<h1>Land</h1><p id="land">Land words.</p><table><tr><td id="cell">cell words</td></tr></table><p dir="rtl">שלום</p>',
  ),
  'notes.xhtml': page('<h1>Notes</h1><aside epub:type="endnote" id="e1"><p>The end note.</p></aside>'),
})

t.test('links lead somewhere', async (t) => {
  const html = await raw(book, 'epub>html')
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target!)
  t.ok(targets.length >= 4)
  t.strictSame(
    targets.filter((target) => !html.includes(`id="${target}"`)),
    [],
  )
})

t.test('authors in order, emphasis by style, foot notes, the cover once', async (t) => {
  const md = await raw(book, 'epub>md')
  t.match(md, /- Ann Author\n- Bob Second/)
  t.match(md, '*slanted inner* and **heavy** word.[^1]')
  t.match(md, '[^1]: The foot note.')
  t.match(md, '[^2]: A note in a paragraph.')
  t.equal(md.match(/!\[\]\(data:image\/jpeg/g)?.length, 1)
})

t.test('right-to-left text in Word', async (t) => {
  const { path } = await made(book, 'epub>docx')
  const xml = String(await program('unzip', '-p', path, 'word/document.xml'))
  t.match(xml, /<w:p>(?:(?!<\/w:p>).)*<w:bidi ?\/>(?:(?!<\/w:p>).)*שלום/)
})
