/** Pages as they are found: what they say, and the title and author that results have. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { folderOf } from '../../harness/folder.ts'
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

t.test('the hidden words of a DjVu file stand in the PDF where they are in the picture', async (t) => {
  const folder = await folderOf(t)
  const at = (name: string) => join(folder, name)
  await writeFile(at('page.pgm'), Buffer.concat([Buffer.from('P5 600 300 255\n'), Buffer.alloc(180_000, 0xff)]))
  await program('c44', '-dpi', '300', at('page.pgm'), at('page.djvu'))
  // Two words in their own boxes, and two in the box of their line.
  const text = `(page 0 0 600 300 (line 60 200 540 240 (word 60 200 200 240 "Größe") (word 400 200 540 240 "a\\"b"))
    (line 60 100 540 140 (word 60 100 540 140 "灯台") (word 60 100 540 140 "keeper")))`
  await writeFile(at('words'), text)
  await program('djvused', at('page.djvu'), '-e', `select 1; set-txt ${at('words')}; save`)
  const { path } = await made(await readFile(at('page.djvu')), 'djvu>pdf')
  const boxes = (await program('pdftotext', '-bbox', path, '-')).toString()
  const words = /<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">(.*)<\/word>/g
  const edges = (edge: string | undefined) => Math.round(Number(edge))
  const found = [...boxes.matchAll(words)].map(([, left, right, word]) => [word, edges(left), edges(right)])
  // Points: 72 of them are 300 pixels.
  t.match(
    new Set(found),
    new Set([
      ['Größe', 14, 48],
      [/^a.*b$/, 96, 130],
    ]),
  )
  t.match((await program('pdftotext', path, '-')).toString(), /灯台[\s\S]*keeper/)
})
