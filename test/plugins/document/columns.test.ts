/** Tables as columns of plain text, with everything that their cells contain. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { zipped } from '../../fixtures/zip.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, file, [Symbol.asyncDispose]: close } = await studio()
t.teardown(close)

const names = ['office', 'text', 'table'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
)
const style = 'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
const paragraph = (text: string) => `<text:p>${text}</text:p>`
const cell = (content: string) => `<table:table-cell>${content}</table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
const table = (columns: number, ...rows: string[]) =>
  `<table:table><table:table-column table:number-columns-repeated="${columns}"/>${rows.join('')}</table:table>`

/** The lines of a text document after its conversion to txt, without those that are empty. */
async function linesOf(body: string): Promise<string[]> {
  const list =
    '<office:automatic-styles><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style></office:automatic-styles>'
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${names.join(' ')} ${style} office:version="1.3">${list}<office:body><office:text>${body}</office:text></office:body></office:document-content>`
  const mime = 'application/vnd.oasis.opendocument.text'
  const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
  const packed = await zipped({ mimetype: mime, 'content.xml': content, 'META-INF/manifest.xml': manifest })
  const text = await readFile((await convert(await file('table.odt', packed), 'txt')).path, 'utf8')
  return text
    .replace('\ufeff', '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean)
}

t.test('a plain table', async (t) => {
  const body = table(2, row(paragraph('Name'), paragraph('Place')), row(paragraph('Ada'), paragraph('London')))
  t.strictSame(await linesOf(body), ['Name  Place', 'Ada   London'])
})

t.test('numbers of lists stay', async (t) => {
  const item = (text: string, more = '') =>
    `<text:list text:style-name="L"${more}><text:list-item>${paragraph(text)}</text:list-item></text:list>`
  const goesOn = ' text:continue-numbering="true"'
  const body = table(2, row(item('first'), paragraph('one')), row(item('second', goesOn), paragraph('two')))
  t.strictSame(await linesOf(body), ['1. first   one', '2. second  two'])
})

t.test('a table in a table keeps every word', async (t) => {
  const inner = table(2, row(paragraph('inner'), paragraph('value')))
  const body = table(2, row(inner + paragraph('after'), paragraph('right')), row(paragraph('below'), paragraph('last')))
  const words = (await linesOf(body)).join(' ').split(/\s+/)
  t.strictSame(words.toSorted(), ['after', 'below', 'inner', 'last', 'right', 'value'])
})
