/** Pages of XHTML as they are found, and names that results have. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { textOf } from '../../matrix/document/text.ts'
import { facts, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file } = documents

const said = async (path: string, to: string) => (await textOf((await convert(path, to)).path, to)).replace(/\s+/g, ' ')

const bodies: Record<string, string> = {
  'without declarations':
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>Größe&nbsp;&copy; kept</p></body></html>',
  'not well-formed':
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/></head><body><p>Größe © <i>kept</p><br></body></html>',
  'with entities and sections':
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd" [<!ENTITY mark "©">]><html xmlns="http://www.w3.org/1999/xhtml"><head><style><![CDATA[p > i { color: red }]]></style></head><body><div/><p>Größe &mark; <![CDATA[kept]]></p></body></html>',
  'with a prefix':
    '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:p>Größe © <h:b>kept</h:b></h:p></h:body></h:html>',
}

for (const [what, xhtml] of Object.entries(bodies))
  t.test(`XHTML ${what}`, async (t) => {
    const source = await file('page.xhtml', xhtml)
    for (const to of ['pdf', 'docx', 'txt', 'doc']) {
      const text = await said(source, to)
      t.match(text, 'Größe © kept', to)
      t.notMatch(text, /error|\]\]>|color|script/, to)
    }
  })

t.test('XHTML in a character set of before', async (t) => {
  const xhtml = '<?xml version="1.0" encoding="ISO-8859-1"?><html><body><p>Größe © kept</p></body></html>'
  const source = await file('old.xhtml', Buffer.from(xhtml, 'latin1'))
  for (const to of ['pdf', 'txt', 'doc']) t.match(await said(source, to), 'Größe © kept', to)
})

t.test('a result is called as its source, else as the file', async (t) => {
  const titled = await file('a.html', '<html><head><title>Harbour</title></head><body><p>words</p></body></html>')
  const bare = await file('b.html', '<p>words</p>')
  const md = await file('c.md', 'words\n')
  const txt = await file('d.txt', 'words\n')
  const csv = await file('e.csv', 'a,b\n1,2\n')
  t.equal((await facts((await convert(titled, 'pdf')).path)).Title, 'Harbour')
  for (const source of [bare, md, txt, csv]) {
    const { Title, Creator } = await facts((await convert(source, 'pdf')).path)
    t.equal(Title, 'story', source)
    t.notMatch(Creator ?? '', 'Headless', source)
  }
  for (const [source, to] of [
    [md, 'html'],
    [md, 'xhtml'],
    [txt, 'html'],
    [csv, 'html'],
    [(await convert(md, 'odt')).path, 'xhtml'],
  ] as const)
    t.match(await readFile((await convert(source, to)).path, 'utf8'), /<title[^>]*>story<\/title>/, `${source} ${to}`)
  for (const to of ['md', 'docx', 'rst'])
    for (const source of [txt, csv, bare]) t.notMatch(await said(source, to), 'story', 'no title above the text')
})

t.test('the title of a web page is not shown above its text', async (t) => {
  const page =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Harbour &amp; quay</title><meta name="author" content="Marit"/></head><body><h1>Nets</h1></body></html>'
  for (const [name, to] of [
    ['a.xhtml', 'html'],
    ['a.html', 'xhtml'],
  ] as const) {
    const html = (await convert(await file(name, page), to)).bytes.toString()
    t.match(html, /<title>Harbour &amp; quay<\/title>/)
    t.match(html, /<meta name="author" content="Marit"/)
    t.notMatch(html.slice(html.indexOf('<body')), 'Harbour', `${name} to ${to}`)
  }
})

t.test('the title of a web page is not a part of the text of documents, but a property', async (t) => {
  const title = 'Über {Häfen} 😀 灯'
  const page = `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><meta name="author" content="Marit"></head><body>`
  for (const body of ['<h1>Nets</h1><p>First words.</p>', '<p>Nets First words.</p>'])
    for (const to of ['docx', 'odt', 'rtf', 'txt']) {
      const source = await file('a.html', page + body)
      if (to === 'rtf') {
        const text = (await convert(source, to)).bytes.toString().replace(/\{\\info.*/, '')
        t.match(text, 'Nets')
        t.notMatch(text, 'Marit')
      } else t.equal((await said(source, to)).trim(), 'Nets First words.', to)
      if (to === 'txt') continue
      const { Title, Creator, Author } = await facts((await convert(source, to)).path)
      // exiftool does not read pairs of units in RTF.
      if (to !== 'rtf') t.equal(Title, title, to)
      t.match(Title, 'Über {Häfen} ', to)
      t.equal(Creator ?? Author, 'Marit', to)
    }
  const mail = await file(
    'a.eml',
    'From: a@example.org\nSubject: Landfall\nContent-Type: text/html\n\n<title>Window</title><p>Body words',
  )
  const text = await said(mail, 'docx')
  t.equal(text.split('Landfall').length, 2, `the subject once: ${text}`)
  t.equal(text.split('a@example.org').length, 2, 'the sender once')
})

t.test('title and author are found wherever a page has them', async (t) => {
  const pages = {
    'without a head': '<!doctype html><title>Nets</title><meta name=author content="Marit O."><p>words</p>',
    'after text': "<p>words</p><TITLE>Nets</TITLE><META CONTENT='Marit O.' NAME='Author'>",
    'with an unclosed head': '<html><head><title>Nets</title><meta name="author" content="Marit O."><body><p>words',
  }
  for (const [what, page] of Object.entries(pages)) {
    const source = await file('page.html', page)
    for (const to of ['pdf', 'docx', 'odt']) {
      const { Title, Author, Creator } = await facts((await convert(source, to)).path)
      t.equal(Title, 'Nets', `${what} to ${to}`)
      t.equal(to === 'pdf' ? Author : Creator, 'Marit O.', `${what} to ${to}`)
    }
    t.match(
      (await convert(source, 'md')).bytes.toString(),
      /^---\nauthor: Marit O\.\ntitle: Nets\n---\n\nwords\n$/,
      what,
    )
  }
})
