/** Cells keep what they say: text stays text, and numbers keep their digits. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { workbook } from '../../fixtures/spreadsheet.ts'
import { cellsOf, separated } from '../../matrix/document/cells.ts'
import { members } from '../../matrix/document/text.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file, folder, code } = documents

/** What programs take for numbers, dates, formulas and markup; and numbers, which look the same in every format. */
const odd = [
  ['code', 'note', 'date', 'sum', 'number'],
  ['01234', 'a|b, c', '1/2/2020', '1e5', '7'],
  ['12345678901234567890', 'one\ntwo', '2020-01-02', '=1+1', '-2.5'],
  ['+1', '  two  spaces ', '12:30', '-1+2', '12.30'],
  ['0x1f', 'עברית 灯台', '50%', '@SUM(A1)', '0.001'],
  ['TRUE', '<b>&amp;</b>', '$5', '1-2', '123456789012345'],
]
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const csv = (rows: readonly (readonly string[])[], separator = ',') =>
  rows.map((row) => `${row.map(quoted).join(separator)}\n`).join('')

/** The cells of a worksheet that hold something else than text: their values and types. */
async function numbersIn(path: string): Promise<string[]> {
  const sheet = await members(path, 'xl/worksheets/sheet1.xml')
  t.notMatch(sheet, '<f', 'no formulas')
  return [...sheet.matchAll(/<c [^>]*\bt="([nb])"[^>]*>.*?<v>([^<]*)</g)].map(([, type, value]) => `${type} ${value}`)
}

t.test('cells of a text in every spreadsheet and back', async (t) => {
  const source = await file('odd.csv', csv(odd))
  for (const to of ['xlsx', 'xlsm', 'xls', 'ods', 'fods']) {
    const { path } = await convert(source, to)
    const { bytes } = await convert(path, 'csv')
    t.strictSame(separated(bytes.toString(), ','), odd, to)
  }
  const { path } = await convert(source, 'xlsx')
  t.strictSame(await numbersIn(path), ['n 7', 'n -2.5', 'n 12.3', 'n 0.001', 'n 123456789012345'])
  t.match(await members(path, 'xl/workbook.xml'), '<sheet name="story"', 'the sheet has the name of the file')
  const { bytes } = await convert(source, 'json')
  const [first, , third] = JSON.parse(bytes.toString())
  t.strictSame(first, { code: '01234', note: 'a|b, c', date: '1/2/2020', sum: '1e5', number: 7 })
  t.match(bytes.toString(), '"number": 12.30', 'a number keeps its notation')
  t.equal(third.number, 12.3)
})

t.test('values of JSON keep their types', async (t) => {
  const text =
    '[{"a":"01","b":12,"c":true,"d":"12","e":null,"f":12345678901234567890,"g":"=1+1"},{"a":"true","b":1e5,"c":false,"d":"1/2/2020","e":"","f":0.10,"g":"2020-01-02"}]'
  const source = await file('values.json', text)
  const { path } = await convert(source, 'xlsx')
  t.strictSame(await numbersIn(path), ['n 12', 'b 1', 'n 100000', 'b 0', 'n 0.1'])
  const { bytes } = await convert(path, 'json')
  t.strictSame(JSON.parse(bytes.toString()), [
    { a: '01', b: 12, c: true, d: '12', e: '', f: '12345678901234567890', g: '=1+1' },
    { a: 'true', b: 100000, c: false, d: '1/2/2020', e: '', f: 0.1, g: '2020-01-02' },
  ])
  for (const to of ['csv', 'yaml', 'xml'])
    t.match((await convert(source, to)).bytes.toString(), '12345678901234567890', `${to}: every digit`)
  const yaml = await convert(source, 'yaml')
  t.match(yaml.bytes.toString(), 'g: "2020-01-02"', 'readers of YAML 1.1 take it for text')
})

t.test('numbers of YAML that JSON writes otherwise stay as they are written', async (t) => {
  const { bytes } = await convert(await file('a.yaml', 'a: 007\nb: 7\nc: 12345678901234567890\nd: +1\n'), 'json')
  t.equal(bytes.toString(), '{\n  "a": "007",\n  "b": 7,\n  "c": 12345678901234567890,\n  "d": "+1"\n}\n')
})

t.test('lists of records are a sheet each, and sheets lists of records', async (t) => {
  const value = { Fleet: [{ name: 'Dunlin', mast: 2 }], 'Buoys: all': [{ name: 'North', depth: 12 }] }
  const { path } = await convert(await file('several.json', JSON.stringify(value)), 'ods')
  const { bytes } = await convert(path, 'json')
  t.strictSame(JSON.parse(bytes.toString()), { Fleet: value.Fleet, 'Buoys_ all': value['Buoys: all'] })
})

t.test('the separator is the one that divides rows alike', async (t) => {
  const rows = [
    ['name', 'share'],
    ['a, b', '1,5'],
    ['c', '2,5'],
  ]
  for (const separator of [';', '\t', '|']) {
    const text = rows.map((row) => `${row.join(separator)}\r\n`).join('')
    for (const content of [text, `\ufeff${text}`, text.replaceAll('\r\n', '\r')])
      t.strictSame(separated((await convert(await file('a.csv', content), 'tsv')).bytes.toString(), '\t'), rows)
  }
  const { bytes } = await convert(await file('a.csv', 'sep=|\na,b|c\n'), 'tsv')
  t.equal(bytes.toString(), 'a,b\tc\n', 'a first line names it')
  const { path } = await convert(await file('a.csv', 'pipe;size\n"5 inch;a\nb;c\n'), 'tsv')
  t.equal(await readFile(path, 'utf8'), 'pipe\tsize\n"""5 inch"\ta\nb\tc\n', 'a quote that nothing closes')
})

t.test('a table that a sheet cannot hold is refused', async (t) => {
  const wide = await file('wide.csv', `${Array.from({ length: 300 }, (_, index) => `c${index}`).join(',')}\n`)
  t.equal(await code(wide, 'xls'), 'RESOURCE_LIMIT')
  t.equal((await cellsOf((await convert(wide, 'xlsx')).path, 'xlsx'))[0]?.length, 300)
})

t.test('values as a spreadsheet shows them', async (t) => {
  const styles =
    '<number:percentage-style style:name="p"><number:number number:decimal-places="1" number:min-decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style><number:date-style style:name="d"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>'
  const cell = (style: string, value: string) =>
    `<table:table-cell table:style-name="${style}" office:value-type=${value}><text:p>?</text:p></table:table-cell>`
  const names = ['office', 'table', 'text', 'style', 'number']
    .map((n) => `xmlns:${n}="urn:oasis:names:tc:opendocument:xmlns:${n === 'number' ? 'datastyle' : n}:1.0"`)
    .join(' ')
  const style = (name: string) =>
    `<style:style style:name="s${name}" style:family="table-cell" style:data-style-name="${name}"/>`
  const book = await file(
    'shown.fods',
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${names} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}${style('p')}${style('d')}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="a"><table:table-row><table:table-cell office:value-type="string"><text:p>n</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>d</text:p></table:table-cell></table:table-row><table:table-row>${cell('sp', '"percentage" office:value="0.125"')}${cell('sd', '"date" office:date-value="2031-02-03"')}</table:table-row></table:table></office:spreadsheet></office:body></office:document>`,
  )
  t.equal((await convert(book, 'csv')).bytes.toString(), 'n,d\n12.5%,03.02.2031\n')
  t.strictSame(JSON.parse((await convert(book, 'json')).bytes.toString()), [{ n: 0.125, d: '2031-02-03' }])
})

t.test('a sheet of one row keeps it', async (t) => {
  await workbook(`${folder}/row.xlsx`, { One: [['alone', '5']] })
  t.strictSame(JSON.parse((await convert(`${folder}/row.xlsx`, 'json')).bytes.toString()), [['alone', 5]])
})

t.test('values of data that are written in rare ways', async (t) => {
  const json = async (name: string, text: string) =>
    JSON.parse((await convert(await file(name, text), 'json')).bytes.toString())
  const base = '- &base {a: 1, b: no}\n- {<<: *base, b: 1e5}\n'
  t.strictSame(await json('merged.yaml', base), [
    { a: 1, b: 'no' },
    { a: 1, b: '1e5' },
  ])
  t.strictSame(await json('blanks.xml', '<r a="x>y"><b> z </b><c>\n  d\n</c></r>'), {
    r: { '@a': 'x>y', b: ' z ', c: 'd' },
  })
  const csv = async (name: string, text: string) => (await convert(await file(name, text), 'csv')).bytes.toString()
  t.equal(await csv('lines.json', '{"a":1,"b":2}\n{"a":3}\n'), 'a,b\n1,2\n3,\n', 'a record on each line')
  t.equal(await csv('odd.json', '[{"a.b":1,"a":{"b":2},"c":{}}]'), 'a.b,a.b 2,c\n1,2,{}\n')
  t.equal(await csv('named.xml', '<r xmlns="urn:x"><i><a>1</a></i><i><a>2</a></i></r>'), 'a\n1\n2\n')
})
