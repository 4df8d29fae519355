/** EPUBs that readers understand although they break the rules: each must become any target like another book. */
import t, { type Test } from 'tap'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

const own = await bare(t, ['document'])
const { code, raw } = reader(own)

const XHTML = 'application/xhtml+xml'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC',
  'base64',
)

const container = (path: string) =>
  `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${path}" media-type="application/oebps-package+xml"/></rootfiles></container>`

/** @param items The manifest: `id:path` or `id:path:type`, divided by spaces. */
const opf = (items: string, spine = 'ab') =>
  `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Odd book</dc:title><dc:creator>Ann Odd</dc:creator>
<dc:language>en</dc:language><dc:identifier id="id">urn:x</dc:identifier></metadata><manifest>${items
    .split(' ')
    .map((item) => item.split(':'))
    .map(([id, href, type = XHTML]) => `<item id="${id}" href="${href}" media-type="${type}"/>`)
    .join('')}</manifest><spine>${[...spine].map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`

const chapter = (number: number, more = '', charset = 'utf-8') =>
  `<?xml version="1.0" encoding="${charset}"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>C</title></head>
<body><h1 id="h">Chapter ${number}</h1><p>Words of chapter${number} here. ${more}</p></body></html>`

const root = { 'META-INF/container.xml': container('content.opf') }
const plain = {
  ...root,
  'content.opf': opf('a:one.xhtml b:two.xhtml'),
  'one.xhtml': chapter(1),
  'two.xhtml': chapter(2),
}

/** Books by what is odd about them. All have two chapters. Without a package, they have no title. */
const odd: Record<string, Record<string, string | Buffer>> = {
  'paths that go up': {
    'META-INF/container.xml': container('OEBPS/pkg/../pkg/content.opf'),
    'OEBPS/pkg/content.opf': opf('a:../text/one.xhtml b:../text/two.xhtml p:../img/p.png:image/png'),
    'OEBPS/text/one.xhtml': chapter(1, '<img alt="pic" src="../img/p.png"/>'),
    'OEBPS/text/two.xhtml': chapter(2),
    'OEBPS/img/p.png': PICTURE,
  },
  'percent-encoded paths': {
    'META-INF/container.xml': container('My%20Book/content.opf'),
    'My Book/content.opf': opf('a:ch%20one%21.xhtml b:cap%C3%ADtulo.xhtml p:b%23c.png:image/png'),
    'My Book/ch one!.xhtml': chapter(1, '<img src="b%23c.png" alt="pic"/>'),
    'My Book/capítulo.xhtml': chapter(2),
    'My Book/b#c.png': PICTURE,
  },
  'other case, a missing chapter': {
    'meta-inf/Container.xml': container('oebps/Content.OPF'),
    'OEBPS/content.opf': opf('a:Text/One.xhtml m:text/missing.xhtml b:text/two.XHTML p:P.PNG', 'amb'),
    'OEBPS/text/one.xhtml': chapter(1, '<img src="../P.png" alt="pic"/>'),
    'OEBPS/Text/Two.xhtml': chapter(2),
    'OEBPS/p.png': PICTURE,
  },
  'byte-order marks, named characters, other charsets': {
    'META-INF/container.xml': `\ufeff${container('content.opf')}`,
    'content.opf': `\ufeff${opf('a:one.xhtml b:two.xhtml').replace('Odd book', 'Odd&nbsp;book &copy;')}`,
    'one.xhtml': `\ufeff${chapter(1, 'a&nbsp;b &mdash; caf&eacute; Cut & run')}`,
    'two.xhtml': Buffer.from(chapter(2, '\xcf\xf0\xe8\xe2\xe5\xf2', 'windows-1251'), 'latin1'),
  },
  'no container, HTML, prefixes that nothing declares': {
    'x/y/book.opf': opf('a:one.html:text/html b:two.htm:text/x-oeb1-document').replace(/ xmlns:dc="[^"]+"/, ''),
    'x/y/one.html':
      '<html><body><h1>Chapter 1</h1><p>Words of chapter1<br>here<p>more <img alt=pic src=../p.png></body></html>',
    'x/y/two.htm': Buffer.from(`\ufeff${chapter(2)}`, 'utf16le'),
    'x/p.png': PICTURE,
  },
  'markup that is not well-formed': {
    ...plain,
    'content.opf': opf('a:a&b.xhtml b:two.xhtml').replace('Odd book', 'Odd & book'),
    'a&b.xhtml': chapter(1).replace('</p>', '<br>'),
  },
  'no package': { ...root, 'one.xhtml': chapter(1), 'two.xhtml': chapter(2) },
  'a manifest that lists nothing that exists': { ...plain, 'content.opf': opf('m:missing.xhtml', 'm') },
  'chapters of one name in two folders': {
    ...root,
    'content.opf': opf('a:1/text.xhtml b:2/text.xhtml'),
    '1/text.xhtml': chapter(1, '<a href="../2/text.xhtml#h">next</a>'),
    '2/text.xhtml': chapter(2),
  },
}

const bytesOf = async (name: string) => zipped({ mimetype: 'application/epub+zip', ...odd[name] })

async function isComplete(t: Test, name: string, book: Buffer) {
  const html = await raw(book, 'epub>html')
  t.match(html, /Words of chapter1[\s\S]*Words of chapter2/, name)
  if (name !== 'no package') t.match(html, /<title>Odd.*book/)
  if (name.startsWith('byte-order')) t.match(html, /a\u00a0b — café Cut &amp; run[\s\S]*Привет/)
  if (book.includes('png')) t.match(html, /<img[^>]* src="data:image\/png;base64,iVBORw0KGgo/, name)
  if (name.startsWith('chapters of one name')) {
    const target = /<a href="#([^"]+)"[^>]*>next/.exec(html)?.[1]
    t.ok(target && html.indexOf(`id="${target}"`) > html.indexOf('chapter1'), `a link leads to ${target}`)
  }
}

for (const name of Object.keys(odd)) t.test(name, async (t) => isComplete(t, name, await bytesOf(name)))

t.test('backslashes, and a zip that lost its directory', async (t) => {
  const whole = await zipped({ mimetype: 'application/epub+zip', ...plain })
  const back = await zipped({
    'META-INF/container.xml': container('OEBPS\\content.opf'),
    'OEBPS/content.opf': opf('a:text\\one.xhtml b:two.xhtml'),
    'OEBPS/text/one.xhtml': chapter(1),
    'OEBPS/two.xhtml': chapter(2),
  })
  const names = back
    .toString('latin1')
    .replaceAll('OEBPS/text/', 'OEBPS\\text\\')
    .replaceAll('OEBPS/content', 'OEBPS\\content')
  await isComplete(t, 'backslashes', Buffer.from(names, 'latin1'))
  await isComplete(t, 'cut off', whole.subarray(0, whole.lastIndexOf('PK\x01\x02') - 10))
})

t.test('a book that has no chapters is refused', async (t) => {
  const empty = await zipped({ mimetype: 'application/epub+zip', 'META-INF/container.xml': container('content.opf') })
  t.equal(await code(empty, 'epub>txt'), 'CONVERSION_ERROR')
})
