import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { workbook } from '../../fixtures/spreadsheet.ts'
import { cells } from '../../fixtures/story.ts'
import { separated } from '../../matrix/document/cells.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file, folder } = documents

const other = [
  ['Buoy', 'Depth'],
  ['North', '12'],
]

t.test('several sheets become a zip with one csv each', async (t) => {
  const book = `${folder}/book.xlsx`
  await workbook(book, { Fleet: cells, 'Buoys & more': other })
  const { bytes, paged } = await convert(book, 'csv')
  t.ok(paged)
  const members = readMembers(bytes)
  t.strictSame(
    members.map(({ name }) => name),
    ['story-Fleet.csv', 'story-Buoys & more.csv'],
  )
  t.strictSame(separated(members[0]!.content.toString(), ','), cells)
  t.strictSame(separated(members[1]!.content.toString(), ','), other)
  const { bytes: json } = await convert(book, 'json')
  t.strictSame(JSON.parse(json.toString())['Buoys & more'], [{ Buoy: 'North', Depth: 12 }])
})

t.test('one sheet becomes a csv', async (t) => {
  const book = `${folder}/single.xlsx`
  await workbook(book, { Fleet: cells })
  const { bytes, paged } = await convert(book, 'csv')
  t.notOk(paged)
  t.strictSame(separated(bytes.toString(), ','), cells)
})

t.test('separators and character sets are detected', async (t) => {
  const text = 'Größe;Länge\nklein;"1;5"\n'
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  for (const content of [Buffer.from(text), Buffer.from(text, 'latin1'), wide]) {
    const { bytes } = await convert(await file('table.csv', content), 'json')
    t.strictSame(JSON.parse(bytes.toString()), [{ Größe: 'klein', Länge: '1;5' }])
    const { bytes: tsv } = await convert((await convert(await file('table.csv', content), 'ods')).path, 'tsv')
    t.equal(tsv.toString(), 'Größe\tLänge\nklein\t1;5\n')
  }
})

t.test('records keep their values through every format', async (t) => {
  const records = [
    { name: 'a', code: '007', share: 0.5, note: 'x, "y"\nz' },
    { name: 'b', code: '1e3', share: -2, note: '<&>' },
  ]
  const start = await file('records.json', JSON.stringify(records))
  for (const to of ['csv', 'tsv', 'yaml', 'xml']) {
    const { path } = await convert(start, to)
    const { bytes } = await convert(path, 'json')
    const back = JSON.parse(bytes.toString())
    const list = to === 'xml' ? back.root.item : back
    const asText = (list: object[]) => list.map((item) => Object.values(item).map(String))
    t.strictSame(asText(list), asText(records), to)
  }
})
