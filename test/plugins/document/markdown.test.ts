/** Tables keep every cell in lightweight markups. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { workbook } from '../../fixtures/spreadsheet.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file, folder } = documents

const rows = [
  ['Name', 'a|b', 'Größe 灯台'],
  ['one\ntwo', '', 'שלום'],
  ['', '=1+1', 'c || d'],
]
const separated = rows.map((row) => `${row.map((cell) => `"${cell}"`).join(',')}\n`).join('')

/** The cells of pipe tables (GitHub Flavored Markdown, §4.10), with line breaks as newlines. */
const piped = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\|(?![-|:]+$)/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('<br>', '\n').replace(/\\(.)/g, '$1')),
    )

t.test('pipe tables out of sheets, records and texts', async (t) => {
  const book = `${folder}/book.xlsx`
  await workbook(book, { Fleet: rows })
  const table = await file('table.csv', separated)
  const sources = [table, book]
  for (const to of ['ods', 'xls', 'json', 'docx', 'html', 'odt'])
    sources.push((await convert(to === 'json' ? table : book, to)).path)
  for (const source of sources) {
    const text = (await convert(source, 'md')).bytes.toString()
    // A page of LibreOffice names no header.
    t.strictSame(
      piped(text).filter((row, index) => index > 0 || row.some(Boolean)),
      rows,
      source,
    )
    t.notMatch(text, /generator|^---\n---$/im)
  }
})

const page = `<!doctype html><html><head><title>T</title><meta name="viewport" content="width=device-width"></head><body>
<table><tr><td colspan="2">wide</td><td rowspan="2">tall</td></tr><tr><td>left</td><td>right</td></tr></table>
<table><tr><td><p>before</p><ul><li>first|item</li><li>second</li></ul><pre>code

after</pre></td><td><table><tr><td>inner</td><td>other</td></tr></table></td></tr></table>
<h2>Afterwards</h2><table><tr><td>framed <b>words</b></td></tr></table></body></html>`

t.test('tables with merged cells and blocks become HTML', async (t) => {
  const text = (await convert(await file('page.html', page), 'md')).bytes.toString()
  t.notMatch(text, '[TABLE]')
  t.notMatch(text, 'viewport')
  t.match(text, /<td colspan="2">wide<\/td>\s*<td rowspan="2">tall<\/td>/)
  for (const said of ['<li>first|item</li>', '<td>inner</td>', '\n## Afterwards\n', '\nframed **words**\n'])
    t.match(text, said)
  t.notMatch(/<table>[\s\S]*?<\/table>/.exec(text)![0], '\n\n', 'an empty line would end the table')
})

t.test('sheets with merged cells, several of them', async (t) => {
  const cell = (text: string, more = '') =>
    `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`
  const names = ['office', 'table', 'text']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const sheet = (name: string, rows: string) => `<table:table table:name="${name}">${rows}</table:table>`
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
  const book = await file(
    'book.fods',
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${names} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>${sheet('First', row(cell('across', ' table:number-columns-spanned="2"'), '<table:covered-table-cell/>') + row(cell('x'), cell('y')))}${sheet('Second', row(cell('a'), cell('b')) + row(cell('c'), cell('d')))}</office:spreadsheet></office:body></office:document>`,
  )
  const text = (await convert(book, 'md')).bytes.toString()
  t.match(
    text,
    /## First\n\n<table>[\s\S]*<th colspan="2">across<\/th>[\s\S]*<td>x<\/td>\n<td>y<\/td>[\s\S]*## Second\n/,
  )
  t.strictSame(piped(text), [
    ['a', 'b'],
    ['c', 'd'],
  ])
})

t.test('bars in cells of other markups', async (t) => {
  const source = await file('table.csv', separated)
  for (const to of ['adoc', 'org', 'wiki', 'rst', 'textile', 'dbk']) {
    const { path } = await convert(source, to)
    const { bytes } = await convert(path, to === 'adoc' ? 'docx' : 'html')
    const html =
      to === 'adoc'
        ? (await program('pandoc', '-f', 'docx', '-t', 'html', '--wrap=none', await file('a.docx', bytes))).toString()
        : bytes.toString()
    const found = [...html.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell!
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    t.strictSame(
      found,
      rows.flat().map((cell) => cell.replace('\n', ' ')),
      to,
    )
  }
})

t.test('tables and line breaks in HTML inside of Markdown', async (t) => {
  const { path } = await convert(await file('page.html', page), 'md')
  const { path: docx } = await convert(path, 'docx')
  const html = (await program('pandoc', '-f', 'docx', '-t', 'html', '--wrap=none', docx)).toString()
  for (const said of [/<td colspan="2">wide<\/td>\s*<td rowspan="2">tall/, /<li>second<\/li>/, /<td>inner<\/td>/])
    t.match(html, said)
  const { path: text } = await convert(await file('a.md', '| a | b |\n|---|---|\n| one<br>two | three |\n'), 'txt')
  t.match(await readFile(text, 'utf8'), /one +three\s+two/)
})

t.test('pictures are in the Markdown, and those on the web are linked', async (t) => {
  const picture = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#a03060' } })
    .png()
    .toBuffer()
  const html = `<!doctype html><p>A <img alt="dot" src="data:image/png;base64,${picture.toString('base64')}"> and
<img alt="far" src="https://example.org/far.png"> and <img alt="missing" src="missing.png">.</p>`
  const source = await file('pictures.html', html)
  for (const by of ['html', 'docx', 'odt', 'epub']) {
    const { path } = by === 'html' ? { path: source } : await convert(source, by)
    const said = (await convert(path, 'md')).bytes.toString()
    const [, data = ''] = /!\[[^\]]*\]\(data:image\/png;base64,([A-Za-z0-9+/=]+)/.exec(said) ?? []
    const { data: pixels, info } = await sharp(Buffer.from(data, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    t.strictSame([info.width, info.height, ...pixels.subarray(0, 3)], [9, 7, 0xa0, 0x30, 0x60], by)
    if (by === 'html') t.match(said, '![far](https://example.org/far.png) and missing.')
  }
})
