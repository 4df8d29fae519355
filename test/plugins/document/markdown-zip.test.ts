/** Markdown with pictures: files, pages, comments and charts, as other programs read them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { runInside } from '../../harness/inside.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { opened } from './bundled.ts'
import { NAMESPACES, type Part, paragraph, wordDocument } from './word.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

const square = (background: string) =>
  sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer()

t.test('pictures are files, each once, that other programs decode; those on the web stay links', async (t) => {
  const [red, blue] = await Promise.all(['red', 'blue'].map(square))
  const data = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
  const page = `<h1>Title</h1><p><img alt="One" src="${data(red!)}"> and <img src="${data(blue!)}"></p>
    <p><img src="${data(red!)}"> <img alt="far" src="https://example.org/a.png"> <img alt="broken" src="data:image/png;base64,@@"></p>
    <p><img alt="secret" src="/etc/passwd"><img alt="up" src="../../etc/hostname"></p>
    <table><tr><td>a<br>b</td><td rowspan=2><img src="${data(blue!)}"></td></tr><tr><td><ul><li>c</ul></td></tr></table>`
  const { name, markdown, pictures, files } = await opened(await made(page, 'html>md.zip'))
  t.equal(name, 'document.md')
  t.strictSame(pictures, [
    'images/image-001.png',
    'images/image-002.png',
    'images/image-001.png',
    'https://example.org/a.png',
  ])
  t.match(markdown, /<img src="images\/image-002\.png"/, 'also in a table in HTML')
  t.strictSame([...files.keys()], ['images/image-001.png', 'images/image-002.png'])
  for (const [index, background] of ['red', 'blue'].entries()) {
    const path = await own.file(`${background}.png`, files.get(`images/image-00${index + 1}.png`)!)
    const seen = await program('identify', '-format', '%wx%h %[fx:p{4,4}.r] %[fx:p{4,4}.b]', path)
    t.equal(seen.toString(), background === 'red' ? '9x9 1 0' : '9x9 0 1')
  }
  t.notMatch(markdown, /data:|root:/)
})

const drawingml = 'http://schemas.openxmlformats.org/drawingml/2006'
const chartXml = (inside: string, title = 'Heights &amp; depths') =>
  `<c:chartSpace xmlns:c="${drawingml}/chart" xmlns:a="${drawingml}/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>${inside}</c:plotArea></c:chart></c:chartSpace>`
const points = (values: readonly (string | number)[]) =>
  values.map((value, at) => (value === '' ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('')
const series = (name: string, cat: string, values: readonly (string | number)[]) =>
  `<c:ser><c:tx><c:strRef><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx><c:dLbls><c:tx><c:v>no</c:v></c:tx></c:dLbls>${cat}<c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`
const names = (...values: string[]) => `<c:cat><c:strRef><c:strCache>${points(values)}</c:strCache></c:strRef></c:cat>`
const shownChart = (id: string) =>
  `<w:p xmlns:c="${drawingml}/chart" xmlns:a="${drawingml}/main"><w:r><w:drawing><a:graphic><a:graphicData uri="${drawingml}/chart"><c:chart r:id="${id}"/></a:graphicData></a:graphic></w:drawing></w:r></w:p>`
const chartPart = (number: number, content: string): Part => ({
  name: `charts/chart${number}.xml`,
  kind: 'chart',
  type: 'drawingml.chart',
  content,
})

t.test('charts of Word documents are tables of their data, in every text', async (t) => {
  const cat = names('North', 'South &lt;1&gt;')
  const bars = chartXml(series('Spring', cat, [1.5, '']) + series('Neap | tide', cat, [10, 20]))
  const dates = `<c:cat><c:numRef><c:numCache><c:formatCode>yyyy\\-mm\\-dd</c:formatCode>${points([45_000, 45_001])}</c:numCache></c:numRef></c:cat>`
  const lines = chartXml(series('Level', dates, [3, 4]) + series('Other', names('x'), [5]), '')
  const body = [
    paragraph('Before.'),
    shownChart('part1'),
    paragraph('Between.'),
    shownChart('part2'),
    shownChart('nosuch'),
    paragraph('After.'),
  ]
  const parts = [chartPart(1, bars), chartPart(2, lines)]
  const source = await wordDocument(body.join(''), parts)
  const { markdown, tables } = await opened(await made(source, 'docx>md.zip'))
  t.strictSame(tables, [
    [
      ['', 'Spring', 'Neap | tide'],
      ['North', '1.5', '10'],
      ['South \\<1\\>', '', '20'],
    ],
    [
      ['', 'Level'],
      ['2023-03-15', '3'],
      ['2023-03-16', '4'],
    ],
    [
      ['', 'Other'],
      ['x', '5'],
    ],
  ])
  t.match(markdown, /Before\.\s+Heights & depths\s+\|[\s\S]*Between\.[\s\S]*After\./)
  t.match(await raw(source, 'docx>html'), /<td[^>]*>South &lt;1&gt;<\/td>/)
})

t.test('comments of Word documents are notes, with or without a range; changes are accepted', async (t) => {
  const comment = (id: number, author: string, words: string) =>
    `<w:comment w:id="${id}" w:author="${author}">${paragraph(words)}</w:comment>`
  const run = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`
  const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`
  const body = `<w:p><w:commentRangeStart w:id="1"/>${run('Ranged')}<w:commentRangeEnd w:id="1"/>${reference(1)}</w:p>
    <w:p>${run('Pointed')}${reference(2)}<w:ins w:id="8" w:author="Bo">${run(' new')}</w:ins><w:del w:id="9" w:author="Bo"><w:r><w:delText>old</w:delText></w:r></w:del></w:p>`
  const comments: Part = {
    name: 'comments.xml',
    kind: 'comments',
    content: `<w:comments ${NAMESPACES}>${comment(1, 'Ada', 'Is that right?')}${comment(2, '', 'No &lt;b&gt;author')}</w:comments>`,
  }
  const source = await wordDocument(body, [comments])
  const { markdown } = await opened(await made(source, 'docx>md.zip'))
  t.match(markdown, /^\[\^1\]Ranged|^Ranged\[\^1\]/m)
  t.match(markdown, /^Pointed\[\^2\] new$/m)
  t.match(markdown, /^\[\^1\]: Comment by Ada: Is that right\?$/m)
  t.match(markdown, /^\[\^2\]: Comment: No \\<b\\>author$/m)
  t.notMatch(await raw(source, 'docx>md'), 'Is that right', 'plain Markdown has no comments')
})

const SPACES = ['office', 'draw', 'text', 'table', 'chart', 'presentation', 'style', 'svg']
  .map(
    (name) =>
      `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name.replace('svg', 'svg-compatible').replace('draw', 'drawing')}:1.0"`,
  )
  .join(' ')
const cell = (value: string | number) =>
  typeof value === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const row = (...cells: (string | number)[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
const odfSeries = (column: string) =>
  `<chart:series chart:values-cell-range-address="local-table.${column}2:local-table.${column}3" chart:label-cell-address="local-table.${column}1" chart:class="chart:bar"/>`
const odfChart = `<draw:frame svg:width="9cm" svg:height="7cm" svg:x="1cm" svg:y="4cm"><draw:object><office:document ${SPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.chart"><office:body><office:chart><chart:chart svg:width="9cm" svg:height="7cm" chart:class="chart:bar"><chart:title><text:p>Tides</text:p></chart:title><chart:plot-area table:cell-range-address="local-table.A1:local-table.C3" chart:data-source-has-labels="both"><chart:axis chart:dimension="x"><chart:categories table:cell-range-address="local-table.A2:local-table.A3"/></chart:axis><chart:axis chart:dimension="y"/>${odfSeries('B')}${odfSeries('C')}</chart:plot-area><table:table table:name="local-table"><table:table-header-columns><table:table-column/></table:table-header-columns><table:table-columns><table:table-column table:number-columns-repeated="2"/></table:table-columns><table:table-header-rows>${row('', 'Spring', 'Neap')}</table:table-header-rows><table:table-rows>${row('North', 1.5, 10)}${row('South', 2.5, 20)}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document></draw:object></draw:frame>`
const flat = (kind: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${SPACES} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:officeooo="http://openoffice.org/2009/office" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body>${body}</office:body></office:document>`
t.test('charts and comments on slides and sheets, out of what LibreOffice writes', async (t) => {
  const page = async (program: string, source: string, ...args: string[]) => {
    const path = await own.file('flat.xml', source)
    const made = await runInside(join(import.meta.dirname, '../../../engines/programs', program), [
      ...[path, `${path}.html`],
      ...args,
    ])
    t.equal(made.code, 0, made.stderr)
    return readFile(`${path}.html`, 'utf8')
  }
  const chart =
    /<p>Tides<\/p><table><thead><tr><th><\/th><th>Spring<\/th><th>Neap<[\s\S]*<td>South<\/td><td>2.5<\/td><td>20</
  const title =
    '<draw:frame presentation:class="title" svg:width="9cm" svg:height="1cm"><draw:text-box><text:p>Harbour</text:p></draw:text-box></draw:frame>'
  const note = '<dc:creator>Ada</dc:creator><text:p>Which year?</text:p>'
  const slide = `<office:presentation><draw:page draw:name="a">${title}${odfChart}<officeooo:annotation svg:x="0cm" svg:y="0cm">${note}</officeooo:annotation></draw:page></office:presentation>`
  const show = await page('slides/write.ts', flat('presentation', slide), '--marks')
  t.match(show, /data-page="1"[\s\S]*Harbour/)
  t.match(show, chart)
  t.match(show, /Comment by Ada:[\s\S]*Which year\?/)
  t.notMatch(await page('slides/write.ts', flat('presentation', slide)), /data-page|Which year/)
  const commented = `<table:table-cell office:value-type="float" office:value="7"><office:annotation><text:p>Measured twice</text:p></office:annotation><text:p>7</text:p></table:table-cell>`
  const sheet = `<office:spreadsheet><table:table table:name="One"><table:table-row>${cell('Name')}${cell('Value')}</table:table-row><table:table-row>${cell('a')}${commented}<table:table-cell>${odfChart}</table:table-cell></table:table-row></table:table></office:spreadsheet>`
  const sheets = await page('tables/convert.ts', flat('spreadsheet', sheet), 'sheets', 'html', '--comments')
  t.match(sheets, chart)
  t.match(sheets, /<td>7[\s\S]*Measured twice/)
  t.notMatch(await page('tables/convert.ts', flat('spreadsheet', sheet), 'sheets', 'html'), 'Measured')
})
