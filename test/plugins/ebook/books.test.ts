/** What books are called, what they contain, how they become smaller, and how far a conversion is. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { title } from '../../fixtures/book.ts'
import { epub } from '../../fixtures/ebook.ts'
import { rocketBook } from '../../fixtures/rocketbook.ts'
import { sample } from '../../fixtures/samples.ts'
import { zip } from '../../fixtures/zip.ts'
import { studio } from '../../harness/studio.ts'
import { reader } from './reading.ts'

t.setTimeout(60 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())
const { book, made, raw } = reader(own)

const bytes = async (format: string) => readFile((await sample(format, 'ebook')).path)

t.test('a book without a title gets the name of its file', async (t) => {
  const page = '<!DOCTYPE html><html><body><p>Some words alone.</p></body></html>'
  const name = 'Größe – of “it”; --cover=x'
  const made = await book(page, 'html>epub', { name })
  t.equal(made.title, name)
  t.match(made.text, /Some words alone/)
  t.equal(made.cover, undefined, 'and no cover that nobody made')
  t.equal((await book(await bytes('docx'), 'docx>epub', { name: 'other' })).title, title, 'one with a title keeps it')
})

t.test('letters of every character set survive', async (t) => {
  const long = `${'Plain words. '.repeat(800)}\n\nΑθήνα и Москва\n`
  t.match((await book(long, 'txt>epub')).text, /Αθήνα и Москва/, 'late in a long text')
  const latin = Buffer.from('Ein schöner Gruß aus Köln. '.repeat(40), 'latin1')
  t.match((await book(latin, 'txt>epub')).text, /schöner Gruß aus Köln/)
  for (const [word, encoding] of [
    ['Αθήνα', 'utf8'],
    ['naïve', 'latin1'],
  ] as const) {
    const text = `<html><body><h1>Harbour</h1><p>${`Café ${word} `.repeat(900)}</p></body></html>`
    const made = await book(rocketBook(Buffer.from(text, encoding)), 'rb>epub')
    t.match(made.text, `Café ${word}`, `a Rocket eBook in ${encoding}`)
    t.notMatch(made.text, /\ufffd|Ã/)
  }
})

t.test('a FictionBook has the marks of lists in its text', async (t) => {
  const page =
    '<html><body><h1>A</h1><ul><li>one<ol start="3"><li><p><b>three</b> words</p></li><li>four</li></ol></li></ul></body></html>'
  const text = (await raw(page, 'html>fb2')).replaceAll(/<[^>]+>/g, '')
  t.match(text, /\u2022 one\s+3\. three words\s+4\. four/)
})

t.test('headings of documents become the table of contents', async (t) => {
  const source = '# One\n\ntext\n\n## Below one\n\ntext\n\n# Two\n\ntext\n'
  t.strictSame((await book(source, 'md>epub')).contents, ['One', 'Below one', 'Two'])
})

t.test('a page contains its own content, not that of links', async (t) => {
  const page = `<html><head><title>T</title><link rel="stylesheet" href="file:///usr/share/doc/bash/copyright"></head>
<body><p>Words <a href="file:///etc/passwd">there</a> <a href="../scratch">and</a> <a href="http://127.0.0.1:1/a">on</a></p>
<img src="file:///usr/share/pixmaps/debian-logo.png"><img src="/proc/self/environ"><img src="http://127.0.0.1:1/b.png">
<iframe src="file:///etc/passwd"></iframe></body></html>`
  const { text, pictures } = await book(page, 'html>epub')
  t.match(text, /Words there/)
  t.strictSame(pictures, [])
})

t.test('the pages of a comic are not changed', async (t) => {
  const source = await bytes('cbz')
  const pages = (await readMembers(source)).filter(({ name }) => /\.(jpg|png)$/.test(name))
  const { pictures } = await book(source, 'cbz>epub')
  t.ok(pages.length > 1)
  for (const { name, content } of pages)
    t.ok(
      pictures.some((picture) => picture.equals(content)),
      name,
    )
})

t.test('progress comes from the engine and never falls, in several conversions of one process', async (t) => {
  const source = await bytes('epub')
  for (const to of ['azw3', 'mobi']) {
    const { progress } = await made(source, `epub>${to}`)
    t.ok(progress.length >= 3 && progress.every((step, at) => step >= (progress[at - 1] ?? 0)), progress.join(' '))
  }
})

t.test('a smaller book is the same book', async (t) => {
  const noise = { type: 'gaussian', mean: 90, sigma: 30 } as const
  const create = { width: 64, height: 64, channels: 3, background: '#123456', noise } as const
  const picture = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  const files = { ...(await epub()), 'OEBPS/noise.png': picture }
  const path = `${own.folder}/loose.epub`
  await zip(path, files, Object.keys(files))
  const before = await readFile(path)
  const { bytes: after } = await made(before, 'epub>epub')
  t.ok(after.length < before.length * 0.9, `${before.length} to ${after.length} bytes`)
  t.equal(after.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip', 'its type comes first, not compressed')
  const [one, other] = await Promise.all([before, after].map((book) => readMembers(book)))
  t.strictSame(
    other!.map(({ name }) => name),
    one!.map(({ name }) => name),
  )
  for (const [index, { name, content }] of one!.entries()) {
    const was = content
    const is = other![index]!.content
    if (!/\.(png|jpg)$/.test(name)) t.ok(was.equals(is), name)
    else t.ok((await sharp(was).raw().toBuffer()).equals(await sharp(is).raw().toBuffer()), name)
  }
  t.ok((await made(after, 'epub>epub')).bytes.length <= after.length, 'nor larger the second time')
})
