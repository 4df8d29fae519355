/** Tables as text: separated values, JSON, YAML and XML, by hand, in `files/sheet/`, and by Python. */
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile } from '../saved.ts'
import type { Book, BookCell } from './sheet-books.ts'

/** A cell as its text tells; null if it is empty. */
export const cellOf = (value: string): BookCell | null => {
  if (value === '') return null
  return { kind: /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? 'number' : 'text', value, shown: value }
}
const table = (rows: readonly (readonly string[])[]): Book => ({
  sheets: [{ name: '', rows: rows.map((row) => row.map(cellOf)) }],
})

/** What programs take for numbers, dates, formulas and markup. */
const rows = [
  ['Boat', 'Code', 'Note', 'Men'],
  ['Tern', '01234', 'a,b;c|d', '7'],
  ['Gull', '=1+1', 'he said "hi"', '-12.25'],
  ['Zoë Größe', '1e5', 'x<y&z>', '12'],
  ['שלום', '1/2/2020', '', '3'],
  ['⛵ sail', '12345678901234567890', '50%', '4'],
  ['Skua', 'TRUE', 'no', '5'],
]
const texts = rows.map((row) => row.slice(0, 3))
/** Letters that Windows-1252 has. */
const western = rows.filter(([name]) => !/[^\0-\xff]/.test(name!))
const ragged = [...['Boat,Men,Note', 'Tern,7,'].map((line) => line.split(',')), ['Gull', '12', 'two, words']]
const merged = [
  ...['Boat,Code,Note,Men', 'Tern,01234,no,7'].map((line) => line.split(',')),
  ...['Gull', 'Skua'].map((name) => [name, '0o17', 'two\nlines', '12']),
]

const hand = (list: readonly (readonly string[])[], ...names: string[]) =>
  names.map((name) => inFile('sheet', name, { cells: table(list) }))

/** By Python, from JSON on its command line; `records` are the rows with numbers as numbers. */
const python = (name: string, code: string, list = rows): Specimen => {
  const head = `import sys, json, csv, yaml
import xml.etree.ElementTree as tree
rows = json.loads(sys.argv[2])
number = lambda text: float(text) if "." in text else int(text)
records = [dict(zip(rows[0], [*row[:3], *map(number, row[3:])])) for row in rows[1:]]
target = lambda: open(sys.argv[1], "w", newline="", encoding="utf8")\n`
  return {
    name,
    from: formatOf(name),
    maker: 'Python',
    features: ['cells'],
    truth: { cells: table(list) },
    make: (output) => program('/usr/bin/python3', '-c', head + code, output, JSON.stringify(list)),
  }
}

export const dataSpecimens: readonly Specimen[] = [
  // `dos` has a byte order mark, CRLF, every cell in quotes, and no line end.
  ...hand(rows, 'unix.csv', 'dos.csv', 'wide.csv', 'pipe.csv'),
  ...hand(western, 'western.csv'),
  ...hand(ragged, 'ragged.csv'),
  python('python.csv', 'csv.writer(target()).writerows(rows)'),
  ...hand(rows, 'unix.tsv', 'dos.tsv'),
  python('python.tsv', 'csv.writer(target(), "excel-tab").writerows(rows)'),
  ...hand(rows, 'records.json', 'lines.json', 'rows.json'),
  python('python.json', 'json.dump(records, target(), indent=4)'),
  ...hand(rows, 'flow.yaml'),
  ...hand(merged, 'merged.yaml'),
  python('python.yaml', 'yaml.safe_dump(records, target(), allow_unicode=True, sort_keys=False)'),
  ...hand(texts, 'elements.xml'),
  ...hand([texts[0]!.map((name) => `@${name}`), ...texts.slice(1)], 'attributes.xml'),
  python(
    'python.xml',
    `root = tree.Element("boats")
for row in rows[1:]:
    boat = tree.SubElement(root, "boat")
    for name, value in zip(rows[0], row):
        tree.SubElement(boat, name).text = value
tree.ElementTree(root).write(sys.argv[1], encoding="utf-16", xml_declaration=True)`,
    texts,
  ),
]
