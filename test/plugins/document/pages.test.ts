/** Pages as they are found: what they say, and the title and author that results have. */
import t from 'tap'
import { textOf } from '../../matrix/document/text.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { facts, pdfFacts } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw, said } = reader(own)

const xhtml: Readonly<Record<string, string>> = {
  'without declarations':
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>Größe&nbsp;&copy; kept</p></body></html>',
  'not well-formed':
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/></head><body><p>Größe © <i>kept</p><br></body></html>',
  'with entities and sections':
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd" [<!ENTITY mark "©">]><html xmlns="http://www.w3.org/1999/xhtml"><head><style><![CDATA[p > i { color: red }]]></style></head><body><div/><p>Größe &mark; <![CDATA[kept]]></p></body></html>',
  'with a prefix':
    '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:p>Größe © <h:b>kept</h:b></h:p></h:body></h:html>',
}

for (const [what, page] of Object.entries(xhtml))
  t.test(`XHTML ${what}`, async (t) => {
    t.equal(await said(page, 'xhtml>docx'), 'Größe © kept')
  })

t.test('a result is called as its source, else as the file', async (t) => {
  const titled = '<html><head><title>Harbour</title></head><body><p>words</p></body></html>'
  for (const [source, title] of Object.entries({ [titled]: 'Harbour', '<p>words</p>': 'source' })) {
    const { Title, Creator } = await pdfFacts((await made(source, 'html>pdf')).path)
    t.equal(Title, title)
    t.notMatch(Creator ?? '', 'Headless')
  }
  t.match(await raw('words\n', 'md>html'), /<title[^>]*>source<\/title>/)
  t.match(await raw('words\n', 'txt>html'), /<title[^>]*>source<\/title>/, 'by LibreOffice')
  t.notMatch(await said('words', 'html>docx'), 'source', 'no title above the text')
})

t.test('title and author of a page stay properties, and are not shown above its text', async (t) => {
  const head = '<head><title>Harbour &amp; quay</title><meta name="author" content="Marit"/></head>'
  const page = `<html xmlns="http://www.w3.org/1999/xhtml">${head}<body><h1>Nets</h1></body></html>`
  const html = await raw(page, 'html>xhtml')
  t.match(html, /<title>Harbour &amp; quay<\/title>/)
  t.match(html, /<meta name="author" content="Marit"/)
  t.notMatch(html.slice(html.indexOf('<body')), 'Harbour')
  const title = 'Über {Häfen} 😀 灯'
  const meta = `<head><meta charset="utf-8"><title>${title}</title><meta name="author" content="Marit"></head>`
  for (const [to, body] of [
    ['docx', '<h1>Nets</h1><p>First words.</p>'],
    ['odt', '<p>Nets First words.</p>'],
    ['rtf', '<p>Nets First words.</p>'],
  ] as const) {
    const { path, bytes } = await made(`<!doctype html><html>${meta}<body>${body}`, `html>${to}`)
    const { Title, Creator, Author } = await facts(path)
    // exiftool does not read pairs of units in RTF.
    if (to === 'rtf') t.match(Title, 'Über {Häfen} ')
    else t.equal(Title, title, to)
    t.equal(Creator ?? Author, 'Marit', to)
    const shown = bytes.toString().replace(/\{\\info.*/, '')
    if (to === 'rtf') t.notOk(shown.includes('Marit') || !shown.includes('Nets'), 'shown is only the text')
    else t.equal((await textOf(path, to)).replace(/\s+/g, ' ').trim(), 'Nets First words.', to)
  }
})

t.test('title and author are found wherever a page has them', async (t) => {
  for (const page of [
    '<!doctype html><title>Nets</title><meta name=author content="Marit O."><p>words</p>',
    "<p>words</p><TITLE>Nets</TITLE><META CONTENT='Marit O.' NAME='Author'>",
    '<html><head><title>Nets</title><meta name="author" content="Marit O."><body><p>words',
  ])
    t.equal(await raw(page, 'html>md'), '---\nauthor: Marit O.\ntitle: Nets\n---\n\nwords\n', page)
  const late = "<p>words</p><TITLE>Nets</TITLE><META CONTENT='Marit O.' NAME='Author'>"
  const { Title, Author } = await pdfFacts((await made(late, 'html>pdf')).path)
  t.strictSame([Title, Author], ['Nets', 'Marit O.'])
})
