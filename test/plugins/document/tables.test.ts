/** Cells keep what they say: text stays text, and numbers keep their digits. */
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { number, row, text, worksheets } from '../../fixtures/worksheets.ts'
import { cellsOf } from '../../matrix/document/cells.ts'
import { members } from '../../matrix/document/text.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

/** What programs take for numbers, dates, formulas and markup; and numbers, which look the same in every format. */
const odd = [
  ['code', 'note', 'date', 'sum', 'number'],
  ['01234', 'a|b, c', '1/2/2020', '1e5', '7'],
  ['12345678901234567890', 'one\ntwo', '2020-01-02', '=1+1', '-2.5'],
  ['+1', '  two  spaces ', '12:30', '-1+2', '12.30'],
  ['0x1f', 'עברית 灯台', '50%', '@SUM(A1)', '0.001'],
  ['TRUE', '<b>&amp;</b>', '$5', '1-2', '123456789012345'],
]
const csv = odd.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\n`).join('')

/** The cells of a worksheet that hold something else than text: their types and values. */
async function numbersIn(path: string): Promise<string[]> {
  const sheet = await members(path, 'xl/worksheets/sheet1.xml')
  if (sheet.includes('<f')) throw new Error('There are formulas')
  return [...sheet.matchAll(/<c [^>]*\bt="([nb])"[^>]*>.*?<v>([^<]*)</g)].map(([, type, value]) => `${type} ${value}`)
}

t.test('cells of a text in spreadsheets and back', async (t) => {
  for (const to of ['xlsx', 'xls']) {
    const { path, bytes } = await made(csv, `csv>${to}`)
    t.strictSame(await cellsOf((await made(bytes, `${to}>csv`)).path, 'csv'), odd, to)
    if (to !== 'xlsx') continue
    t.strictSame(await numbersIn(path), ['n 7', 'n -2.5', 'n 12.3', 'n 0.001', 'n 123456789012345'])
    t.match(await members(path, 'xl/workbook.xml'), '<sheet name="source"', 'the sheet has the name of the file')
  }
  const json = await raw(csv, 'csv>json')
  t.strictSame(JSON.parse(json)[0], { code: '01234', note: 'a|b, c', date: '1/2/2020', sum: '1e5', number: 7 })
  t.match(json, '"number": 12.30', 'a number keeps its notation')
})

t.test('values of JSON keep their types', async (t) => {
  const source =
    '[{"a":"01","b":12,"c":true,"d":"12","e":null,"f":12345678901234567890,"g":"=1+1"},{"a":"true","b":1e5,"c":false,"d":"1/2/2020","e":"","f":0.10,"g":"2020-01-02"}]'
  const { path, bytes } = await made(source, 'json>xlsx')
  t.strictSame(await numbersIn(path), ['n 12', 'b 1', 'n 100000', 'b 0', 'n 0.1'])
  t.strictSame(JSON.parse(await raw(bytes, 'xlsx>json')), [
    { a: '01', b: 12, c: true, d: '12', e: '', f: '12345678901234567890', g: '=1+1' },
    { a: 'true', b: 100000, c: false, d: '1/2/2020', e: '', f: 0.1, g: '2020-01-02' },
  ])
  for (const to of ['csv', 'yaml', 'xml'])
    t.match(await raw(source, `json>${to}`), '12345678901234567890', `${to}: every digit`)
})

t.test('records keep their values through every format of data', async (t) => {
  const records = [
    { name: 'a', code: '007', share: 0.5, note: 'x, "y"\nz' },
    { name: 'b', code: '1e3', share: -2, note: '<&>' },
  ]
  const texts = (list: object[]) => list.map((item) => Object.values(item).map(String))
  for (const to of ['csv', 'tsv', 'yaml', 'xml']) {
    const { bytes } = await made(JSON.stringify(records), `json>${to}`)
    const back = JSON.parse(await raw(bytes, `${to}>json`))
    t.strictSame(texts(to === 'xml' ? back.root.item : back), texts(records), to)
  }
})

t.test('values of data that are written in rare ways', async (t) => {
  for (const [pair, source, wanted] of [
    [
      'yaml>json',
      'a: 007\nb: 7\nc: 12345678901234567890\nd: +1\n',
      '{\n  "a": "007",\n  "b": 7,\n  "c": 12345678901234567890,\n  "d": "+1"\n}\n',
    ],
    ['yaml>csv', '- &base {a: 1, b: no}\n- {<<: *base, b: 1e5}\n', 'a,b\n1,no\n1,1e5\n'],
    ['json>csv', '{"a":1,"b":2}\n{"a":3}\n', 'a,b\n1,2\n3,\n'],
    ['json>csv', '[{"a.b":1,"a":{"b":2},"c":{}}]', 'a.b,a.b 2,c\n1,2,{}\n'],
    ['xml>csv', '<r xmlns="urn:x"><i><a>1</a></i><i><a>2</a></i></r>', 'a\n1\n2\n'],
    ['csv>json', 'alone,5\n', '[\n  [\n    "alone",\n    5\n  ]\n]\n'],
    ['csv>json', 'a,a,\n1,2,3\n', '[\n  {\n    "a": 1,\n    "a 2": 2,\n    "column3": 3\n  }\n]\n'],
  ] as const)
    t.equal(await raw(source, pair), wanted, source)
  const xml = '<r a="x>y"><b> z </b><c>\n  d\n</c></r>'
  t.strictSame(JSON.parse(await raw(xml, 'xml>json')), { r: { '@a': 'x>y', b: ' z ', c: 'd' } })
})

t.test('the separator is the one that divides rows alike, in any character set', async (t) => {
  const rows = [
    ['name', 'share'],
    ['a, b', '1,5'],
    ['Größe', '2,5'],
  ]
  for (const separator of [';', '\t', '|']) {
    const text = rows.map((row) => `${row.join(separator)}\r\n`).join('')
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    for (const content of [text, `\ufeff${text}`, text.replaceAll('\r\n', '\r'), Buffer.from(text, 'latin1'), wide])
      t.strictSame(await cellsOf((await made(content, 'csv>tsv')).path, 'tsv'), rows)
  }
  t.equal(await raw('sep=|\na,b|c\n', 'csv>tsv'), 'a,b\tc\n', 'a first line names it')
  const open = await raw('pipe;size\n"5 inch;a\nb;c\n', 'csv>tsv')
  t.equal(open, 'pipe\tsize\n"""5 inch"\ta\nb\tc\n', 'a quote that nothing closes')
})

t.test('lists of records are a sheet each, and sheets lists of records or files', async (t) => {
  const value = { Fleet: [{ name: 'Dunlin', mast: 2 }], 'Buoys: all': [{ name: 'North', depth: 12 }] }
  const { bytes } = await made(JSON.stringify(value), 'json>ods')
  t.strictSame(JSON.parse(await raw(bytes, 'ods>json')), { Fleet: value.Fleet, 'Buoys_ all': value['Buoys: all'] })
  const rows = (name: string, value: number) => ({ rows: row(text(name), number(value)) })
  const book = await worksheets({ Fleet: rows('a', 1), 'Buoys &amp; more': rows('b', 2) })
  const sheets = await made(book, 'xlsx>csv')
  t.ok(sheets.paged)
  const files = (await readMembers(sheets.bytes)).map(({ name, content }) => [name, content.toString()])
  t.strictSame(files, [
    ['source-Fleet.csv', 'a,1\n'],
    ['source-Buoys & more.csv', 'b,2\n'],
  ])
})

t.test('a table that a sheet cannot hold is refused', async (t) => {
  const wide = `${Array.from({ length: 300 }, (_, index) => `c${index}`).join()}\n`
  t.equal((await own.failure(Buffer.from(wide), 'csv>xls')).code, 'RESOURCE_LIMIT')
})

t.test('Excel 2003 worksheets in XML, and HTML tables named as worksheets', async (t) => {
  const rows = (row: string, cell: (text: string) => string) =>
    [
      ['Haven', 'Größe'],
      ['Zoë', '12.5'],
    ]
      .map((cells) => `<${row}>${cells.map(cell).join('')}</${row}>`)
      .join('')
  const excel = rows('Row', (text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`)
  const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>${excel}</Table></Worksheet></Workbook>`
  const table = `<table>${rows('tr', (text) => `<td>${text}</td>`)}</table>`
  const page = `<html><head><meta charset="utf-8"></head><body>${table}</body></html>`
  for (const content of [Buffer.from(xml, 'latin1'), page])
    t.equal(await raw(content, 'xls>csv'), 'Haven,Größe\nZoë,12.5\n')
})
