/** Books on paper: by calibre, in their own style. Their words, title and cover are proved by test/matrix. */
import t from 'tap'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { facts } from './reading.ts'

const STYLE = 'body { background: #fffaf0 } h1 { color: #c00000; text-align: center; margin: 0 }'
const SCRIPT = '<p id="x">untouched</p><script>document.getElementById("x").textContent = "scripted"</script>'

t.test(
  'a book on paper has its style, numbers on its pages, and no author if that is removed',
  { timeout: 3_600_000 },
  async (t) => {
    const own = await bare(t, ['document'])
    const files = await epub()
    for (const [name, page] of Object.entries(files))
      if (name.endsWith('.xhtml'))
        files[name] = String(page)
          .replace('</head>', `<style type="text/css">${STYLE}</style></head>`)
          .replace('</body>', `${SCRIPT}</body>`)
    const { path } = await own.convert(await zipped(files), 'epub>pdf', { metadata: 'remove' })
    const { Title, Author, Creator } = await facts(path)
    t.strictSame([Title, Author, Creator], [undefined, undefined, undefined])
    const printed = async (...command: readonly [string, ...string[]]) => String(await program(...command))
    t.match(await printed('pdfinfo', path), /595.* x 84.* pts \(A4\)/)
    t.equal((await printed('pdftotext', '-l', '1', path, '-')).trim(), '', 'the first page is the cover')
    t.match(await printed('mutool', 'show', path, 'outline'), /page=2/)
    const text = await printed('pdftotext', '-f', '2', path, '-')
    t.match(text, /untouched/)
    t.notMatch(text, /scripted/, 'scripts do not run')
    t.match(await printed('pdftotext', '-f', '2', '-l', '2', path, '-'), /\n1\s*$/, 'pages have numbers')
    const pixels = await program('pdftoppm', '-r', '100', '-f', '2', '-l', '2', path)
    const shown = new Set(
      Array.from(pixels.subarray('P6\n827 1170\n255\n'.length).toString('hex').matchAll(/.{6}/g), ([colour]) => colour),
    )
    t.ok(shown.has('c00000'), 'headings in their colour')
    t.notOk(shown.has('fffaf0'), 'no box behind the text')
  },
)
