/** Markdown with pictures out of pages, slides and sheets, by a browser and LibreOffice. */
import t from 'tap'
import { studio } from '../../harness/studio.ts'
import { opened } from './bundled.ts'
import { reader } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())
const { made, raw } = reader(own)

t.test('pages of a PDF begin with comments', async (t) => {
  const { path } = await made('<p>First page</p><p style="break-before: page">Second page</p>', 'html>pdf')
  const { markdown } = await opened(await own.convert(path, 'pdf>md.zip'))
  t.match(markdown, /^<!-- page 1 -->\s+First page\s+<!-- page 2 -->\s+Second page\s*$/m)
  t.notMatch((await own.convert(path, 'pdf>md')).bytes.toString(), '<!--')
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
const wanted = [
  ['', 'Spring', 'Neap'],
  ['North', '1.5', '10'],
  ['South', '2.5', '20'],
]

t.test('charts and comments on slides and sheets', async (t) => {
  const title =
    '<draw:frame presentation:class="title" svg:width="9cm" svg:height="1cm"><draw:text-box><text:p>Harbour</text:p></draw:text-box></draw:frame>'
  const note = '<dc:creator>Ada</dc:creator><text:p>Which year?</text:p>'
  const slide = `<office:presentation><draw:page draw:name="a">${title}${odfChart}<officeooo:annotation svg:x="0cm" svg:y="0cm">${note}</officeooo:annotation></draw:page></office:presentation>`
  const show = await opened(await made(flat('presentation', slide), 'fodp>md.zip'))
  t.match(show.markdown, /<!-- page 1 -->\s+Harbour\s+Tides\s+\|/)
  t.match(show.markdown, /> Comment by Ada:\s+>\s+> Which year\?/)
  t.strictSame(show.tables, [wanted])
  const commented = `<table:table-cell office:value-type="float" office:value="7"><office:annotation><text:p>Measured twice</text:p></office:annotation><text:p>7</text:p></table:table-cell>`
  const sheet = `<office:spreadsheet><table:table table:name="One"><table:table-row>${cell('Name')}${cell('Value')}</table:table-row><table:table-row>${cell('a')}${commented}<table:table-cell>${odfChart}</table:table-cell></table:table-row></table:table></office:spreadsheet>`
  const sheets = await opened(await made(flat('spreadsheet', sheet), 'fods>md.zip'))
  t.strictSame(sheets.tables.slice(0, 1), [
    [
      ['Name', 'Value'],
      ['a', '7[^1]'],
    ],
  ])
  t.strictSame(sheets.tables[1], wanted)
  t.match(sheets.markdown, /Tides[\s\S]*\[\^1\]: Measured twice/)
  const plain = await raw(flat('spreadsheet', sheet), 'fods>md')
  t.match(plain, /Tides/)
  t.notMatch(plain, 'Measured', 'plain Markdown has no comments of cells')
})
