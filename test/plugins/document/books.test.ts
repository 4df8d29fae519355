import { join } from 'node:path'
import t from 'tap'
import { author, title } from '../../fixtures/book.ts'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { zip } from '../../fixtures/zip.ts'
import { facts, studio } from './studio.ts'

const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())

const STYLE = 'body { background: #fffaf0 } h1 { color: #c00000; text-align: center; margin: 0 }'
const SCRIPT = '<p id="x">untouched</p><script>document.getElementById("x").textContent = "scripted"</script>'

/** An EPUB whose chapters have a style and a script. */
async function styled() {
  const files = await epub()
  for (const [name, page] of Object.entries(files))
    if (name.endsWith('.xhtml'))
      files[name] = String(page)
        .replace('</head>', `<style type="text/css">${STYLE}</style></head>`)
        .replace('</body>', `${SCRIPT}</body>`)
  const path = join(documents.folder, 'styled.epub')
  await zip(path, files)
  return path
}

const printed = async (...command: readonly [string, ...string[]]) => String(await program(...command))

t.test('a book on paper keeps its style, cover and table of contents', async (t) => {
  const { path } = await documents.convert(await styled(), 'pdf')
  const { Title, Author } = await facts(path)
  t.equal(Title, title)
  t.equal(Author, author)
  t.match(await printed('pdfinfo', path), /595.* x 84.* pts \(A4\)/)
  t.equal((await printed('pdftotext', '-l', '1', path, '-')).trim(), '', 'the first page is the cover')
  t.match(await printed('pdfimages', '-list', '-l', '1', path), /^ +1 +0 image/m)
  t.match(await printed('mutool', 'show', path, 'outline'), /page=2/)
  const text = await printed('pdftotext', '-f', '2', path, '-')
  t.match(text, /untouched/)
  t.notMatch(text, /scripted/, 'scripts do not run')
  t.match(await printed('pdftotext', '-f', '2', '-l', '2', path, '-'), /\n1\s*$/, 'pages have numbers')
  const pixels = await program('pdftoppm', '-r', '100', '-f', '2', '-l', '2', path)
  const colours = new Set(
    Array.from(pixels.subarray('P6\n827 1170\n255\n'.length).toString('hex').matchAll(/.{6}/g), ([colour]) => colour),
  )
  t.ok(colours.has('c00000'), 'headings in their colour')
  t.notOk(colours.has('fffaf0'), 'no box behind the text')
})

t.test('a book on paper says nothing about its author', async (t) => {
  const { path } = await documents.convert(await styled(), 'pdf', { metadata: 'remove' })
  const { Title, Author, Creator } = await facts(path)
  t.strictSame([Title, Author, Creator], [undefined, undefined, undefined])
})
