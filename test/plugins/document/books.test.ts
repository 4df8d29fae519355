/** Books on paper: by calibre, in their own style. Their words, title and cover are proved by test/matrix. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { zipped } from '../../fixtures/zip.ts'
import { folderOf } from '../../harness/folder.ts'
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

const LAYOUT = '<meta property="rendition:layout">pre-paginated</meta>'
const PARTS = ['left.xhtml', 'right.svg', 'about.xhtml']
const FLOWS = ' properties="rendition:layout-reflowable"'

/** A book of a page in XHTML, one in SVG, both without their namespaces, and one that flows. */
const pictureBook = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a/b.opf"/></rootfiles></container>',
  'a/b.opf': `<package version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Two lamps</dc:title>
    ${LAYOUT}</metadata><manifest>${PARTS.map((name, at) => `<item id="i${at}" href="${name}"/>`).join('')}
    <item id="n" href="nav.xhtml" properties="nav"/></manifest>
    <spine>${PARTS.map((_, at) => `<itemref idref="i${at}"${at === 2 ? FLOWS : ''}/>`).join('')}</spine></package>`,
  'a/nav.xhtml': '<html><body><nav epub:type="toc"><a href="right.svg">The other lamp</a></nav></body></html>',
  // With the margins of a browser, it is larger than its page.
  'a/left.xhtml': `<html><head><meta name="viewport" content="width=600,height=800"/>
    </head><body><p style="position:absolute;left:300px;top:400px">amid</p>
    <div style="height:800px;background:#00f;break-inside:avoid">lamp</div><p>outside</p></body></html>`,
  'a/right.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800"><text x="40" y="90">lamp two</text><image xlink:href="no.png"/></svg>`,
  'a/about.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${'<p>flowing</p>'.repeat(60)}</body></html>`,
}

t.test('pages of a fixed layout keep their size, and parts that flow are whole', { timeout: 3_600_000 }, async (t) => {
  const { convert } = await bare(t, ['document'])
  const { path } = await convert(await zipped(pictureBook), 'epub>pdf')
  const printed = async (...command: readonly [string, ...string[]]) => String(await program(...command))
  const sizes = (await printed('pdfinfo', '-l', '9', path)).matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+)/g)
  const points = Array.from(sizes, ([, ...sides]) => sides.map((side) => Math.round(Number(side))))
  t.match(points.slice(0, 3), [
    [450, 600],
    [900, 600],
    [450, 600],
  ])
  const pages = (await printed('pdftotext', path, '-')).split('\f').map((page) => page.split(/\s+/).filter(Boolean))
  t.same(
    pages.slice(0, 2).map((page) => page.toSorted()),
    [
      ['amid', 'lamp'],
      ['lamp', 'two'],
    ],
  )
  t.same(
    pages.slice(2).flat(),
    Array.from({ length: 60 }, () => 'flowing'),
  )
  t.match(await printed('pdftotext', '-bbox', '-l', '1', path, '-'), /xMin="22[45].*>amid</, 'where it was put')
  t.match(await printed('mutool', 'show', path, 'outline'), /The other lamp.*page=2/)
  t.match(await facts(path), { Title: 'Two lamps' })
})

t.test('more parts than are printed one by one stay a flowing book', async (t) => {
  const folder = await folderOf(t)
  const names = Array.from({ length: 1001 }, (_, at) => `p${at}.svg`)
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="image/svg+xml"/>`).join('')
  const spine = names.map((name) => `<itemref idref="${name}"/>`).join('')
  const opf = `<package><metadata>${LAYOUT}</metadata><manifest>${items}</manifest><spine>${spine}</spine></package>`
  const parts = Object.fromEntries(names.map((name) => [`EPUB/${name}`, pictureBook['a/right.svg']]))
  await writeFile(`${folder}/long.epub`, await zipped({ 'EPUB/package.opf': opf, ...parts }))
  const pack = fileURLToPath(new URL('../../../engines/programs/epub/pack.py', import.meta.url))
  const files = [`${folder}/long.epub`, `${folder}/%03d.leaf.xhtml`]
  t.equal(`${await program('/usr/bin/python3', pack, '--leaves', ...files)}`, 'leaves 0\n')
})
