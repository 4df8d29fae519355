import { readFile } from 'node:fs/promises'
import t from 'tap'
import { title } from '../../fixtures/book.ts'
import { chm } from '../../fixtures/chm.ts'
import { rocketBook } from '../../fixtures/rocketbook.ts'
import { sample } from '../../fixtures/samples.ts'
import { library, read } from './library.ts'

const books = await library()
t.teardown(() => books[Symbol.asyncDispose]())

const bytes = async (format: string) => readFile((await sample(format, 'ebook')).path)

t.test('a book without a title gets the name of its file', async (t) => {
  const page = '<!DOCTYPE html><html><body><p>Some words alone.</p></body></html>'
  for (const [from, source] of [
    ['html', page],
    ['txt', 'Some words alone.\n'],
  ] as const) {
    const book = await read(await books.convert(source, from, 'epub', { name: 'Größe – of “it”; --cover=x' }), 'epub')
    t.equal(book.title, 'Größe – of “it”; --cover=x', from)
    t.match(book.text, /Some words alone/)
    t.equal(book.cover, undefined, 'and no cover that nobody made')
  }
  const titled = await read(await books.convert(await bytes('docx'), 'docx', 'epub', { name: 'other' }), 'epub')
  t.equal(titled.title, title, 'one with a title keeps it')
})

t.test('non-ASCII letters late in a long text survive', async (t) => {
  const book = await books.convert(`${'Plain words. '.repeat(800)}\n\nΑθήνα и Москва\n`, 'txt', 'epub')
  t.match((await read(book, 'epub')).text, /Αθήνα и Москва/)
  const latin = await books.convert(Buffer.from('Ein schöner Gruß aus Köln. '.repeat(40), 'latin1'), 'txt', 'epub')
  t.match((await read(latin, 'epub')).text, /schöner Gruß aus Köln/)
})

t.test('a help file without a declared first page starts with one', async (t) => {
  const help = chm({ 'page.htm': '<html><body><h1>Harbour</h1><p>Some words alone.</p></body></html>' })
  t.match((await read(await books.convert(help, 'chm', 'epub'), 'epub')).text, /Some words alone/)
})

t.test('a Rocket eBook in UTF-8', async (t) => {
  const text = `<html><body><h1>Harbour</h1><p>${'Caf\u00e9 \u0391\u03b8\u03ae\u03bd\u03b1 '.repeat(900)}</p></body></html>`
  for (const [letters, pattern] of [
    [text, /^(?!.*\u00c3)[\s\S]*Caf\u00e9 \u0391\u03b8\u03ae\u03bd\u03b1/],
    [text.replaceAll('\u0391\u03b8\u03ae\u03bd\u03b1', 'na\u00efve'), /Caf\u00e9 na\u00efve/],
  ] as const) {
    const isWide = letters === text
    const book = await books.convert(rocketBook(Buffer.from(letters, isWide ? 'utf8' : 'latin1')), 'rb', 'epub')
    const made = (await read(book, 'epub')).text
    t.match(made, pattern)
    t.notMatch(made, /\ufffd/)
  }
})

t.test('a FictionBook has the marks of lists in its text', async (t) => {
  const page =
    '<html><body><h1>A</h1><ul><li>one<ol start="3"><li><p><b>three</b> words</p></li><li>four</li></ol></li></ul></body></html>'
  const text = String(await books.convert(page, 'html', 'fb2')).replaceAll(/<[^>]+>/g, '')
  t.match(text, /\u2022 one\s+3\. three words\s+4\. four/)
})

t.test('progress comes from the engine and never falls', async (t) => {
  const seen: number[] = []
  await books.convert(await bytes('epub'), 'epub', 'azw3', { report: (fraction) => seen.push(fraction) })
  t.ok(seen.length >= 3 && seen.every((step, index) => step >= (seen[index - 1] ?? 0)), seen.join(' '))
})

t.test('headings of documents become the table of contents', async (t) => {
  const source = '# One\n\ntext\n\n## Below one\n\ntext\n\n# Two\n\ntext\n'
  t.strictSame((await read(await books.convert(source, 'md', 'epub'), 'epub')).contents, ['One', 'Below one', 'Two'])
})

t.test('a page contains its own content, not that of links', async (t) => {
  const page = `<html><head><title>T</title><link rel="stylesheet" href="file:///usr/share/doc/bash/copyright"></head>
<body><p>Words <a href="file:///etc/passwd">there</a> <a href="../scratch">and</a> <a href="http://127.0.0.1:1/a">on</a></p>
<img src="file:///usr/share/pixmaps/debian-logo.png"><img src="/proc/self/environ"><img src="http://127.0.0.1:1/b.png">
<iframe src="file:///etc/passwd"></iframe></body></html>`
  const made = await books.convert(page, 'html', 'epub')
  const { text, pictures } = await read(made, 'epub')
  t.match(text, /Words there/)
  t.strictSame(pictures, [])
  t.notMatch(made.toString('latin1'), /passwd|environ|copyright\.|debian-logo/)
})

t.test('the pages of a comic are not changed', async (t) => {
  const source = await bytes('cbz')
  const [before, after] = [await read(source, 'cbz'), await read(await books.convert(source, 'cbz', 'epub'), 'epub')]
  for (const page of before.pictures) t.ok(after.pictures.some((picture) => picture.equals(page)))
})

t.test('one process can do several conversions', async (t) => {
  const source = await bytes('fb2')
  for (let run = 0; run < 3; run++)
    t.equal((await read(await books.convert(source, 'fb2', 'epub', { name: `run ${run}` }), 'epub')).title, title)
})
