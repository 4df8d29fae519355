/** Tables as text: separated values, JSON, YAML and XML, by hand and by Python. */
import { writeFile } from 'node:fs/promises'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import type { Book, BookCell } from './sheet-books.ts'

const text = (value: string): BookCell | null => (value === '' ? null : { kind: 'text', value, shown: value })
const table = (rows: readonly (readonly string[])[], typed = true): Book => ({
  sheets: [
    {
      name: '',
      rows: rows.map((row) =>
        row.map((value) =>
          typed && /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? { kind: 'number', value, shown: value } : text(value),
        ),
      ),
    },
  ],
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

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const lines = (list: readonly (readonly string[])[], separator: string, end = '\n', all = false) =>
  list
    .map((row) =>
      row.map((cell) => (all || cell.includes(separator) || cell.includes('"') ? quoted(cell) : cell)).join(separator),
    )
    .join(end)

const specimen = (name: string, maker: string, book: Book, make: Specimen['make']): Specimen => ({
  ...{ name, from: name.slice(name.lastIndexOf('.') + 1), maker, features: ['cells'], truth: { cells: book }, make },
})
const hand = (name: string, content: string, book = table(rows), encoding: BufferEncoding = 'utf8') =>
  specimen(name, 'hand', book, (output) => writeFile(output, content, encoding))

/** By Python, from JSON on its command line. */
const python = (name: string, code: string, list: readonly (readonly string[])[] = rows, book = table(list)) =>
  specimen(name, 'Python', book, (output) =>
    program(
      '/usr/bin/python3',
      '-c',
      `import sys, json\nrows = json.loads(sys.argv[2])\n${code}`,
      output,
      JSON.stringify(list),
    ),
  )

/** Records, with numbers as numbers. */
const numeric =
  'head, *rest = rows\nrecords = [dict(zip(head, [*row[:3], float(row[3]) if "." in row[3] else int(row[3])])) for row in rest]\n'
const records = rows
  .slice(1)
  .map((row) => Object.fromEntries(rows[0]!.map((name, x) => [name, name === 'Men' ? Number(row[x]) : row[x]!])))
const xmlText = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const elements = texts
  .slice(1)
  .map(
    (row) =>
      `  <boat>\n${row.map((value, x) => `    <${texts[0]![x]}>${xmlText(value)}</${texts[0]![x]}>`).join('\n')}\n  </boat>`,
  )
const attributes = texts
  .slice(1)
  .map((row) => `<x:boat ${row.map((value, x) => `${texts[0]![x]}="${xmlText(value)}"`).join(' ')}/>`)

export const dataSpecimens: readonly Specimen[] = [
  hand('unix.csv', `${lines(rows, ',')}\n`),
  // With a byte order mark, CRLF, every cell in quotes, and no line end.
  hand('dos.csv', `\ufeff${lines(rows, ',', '\r\n', true)}`),
  hand('wide.csv', `\ufeff${lines(rows, ';', '\r\n')}\r\n`, table(rows), 'utf16le'),
  hand('western.csv', `${lines(western, ';', '\r\n')}\r\n`, table(western), 'latin1'),
  hand('pipe.csv', `${lines(rows, '|')}\n`),
  hand(
    'ragged.csv',
    'Boat,Men,Note\nTern,7\nGull,12,"two, words"\n',
    table([
      ['Boat', 'Men', 'Note'],
      ['Tern', '7', ''],
      ['Gull', '12', 'two, words'],
    ]),
  ),
  python('python.csv', 'import csv\ncsv.writer(open(sys.argv[1], "w", newline="", encoding="utf8")).writerows(rows)'),
  hand('unix.tsv', `${lines(rows, '\t')}\n`),
  hand('dos.tsv', `\ufeff${lines(rows, '\t', '\r\n')}`, table(rows), 'utf16le'),
  python(
    'python.tsv',
    'import csv\ncsv.writer(open(sys.argv[1], "w", newline="", encoding="utf8"), "excel-tab").writerows(rows)',
  ),
  hand('records.json', JSON.stringify(records)),
  hand('lines.json', `${records.map((record) => JSON.stringify(record)).join('\n')}\n`),
  hand(
    'rows.json',
    JSON.stringify(
      { boats: rows.map((row, y) => row.map((value, x) => (x === 3 && y > 0 ? Number(value) : value))) },
      null,
      2,
    ),
  ),
  python('python.json', `${numeric}json.dump(records, open(sys.argv[1], "w"), indent=4)`),
  hand('flow.yaml', `# boats\n${records.map((record) => `- ${JSON.stringify(record)}`).join('\n')}\n`),
  hand(
    'merged.yaml',
    '- {Boat: Tern, Code: 01234, Note: no, Men: 7}\n- &gull\n  Boat: Gull\n  Code: 0o17\n  Note: |-\n    two\n    lines\n  Men: 12\n- <<: *gull\n  Boat: Skua\n',
    table([
      ['Boat', 'Code', 'Note', 'Men'],
      ['Tern', '01234', 'no', '7'],
      ['Gull', '0o17', 'two\nlines', '12'],
      ['Skua', '0o17', 'two\nlines', '12'],
    ]),
  ),
  python(
    'python.yaml',
    `import yaml\n${numeric}yaml.safe_dump(records, open(sys.argv[1], "w", encoding="utf8"), allow_unicode=True, sort_keys=False)`,
  ),
  hand(
    'elements.xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<boats>\n${elements.join('\n')}\n</boats>\n`,
    table(texts),
  ),
  hand(
    'attributes.xml',
    `<?xml version="1.0"?>\n<x:boats xmlns:x="urn:example" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${attributes.join('')}</x:boats>\n`,
    table(texts.map((row, y) => (y === 0 ? row.map((name) => `@${name}`) : row))),
  ),
  python(
    'python.xml',
    'import xml.etree.ElementTree as tree\nroot = tree.Element("boats")\nfor row in rows[1:]:\n    boat = tree.SubElement(root, "boat")\n    for name, value in zip(rows[0], row):\n        tree.SubElement(boat, name).text = value\ntree.ElementTree(root).write(sys.argv[1], encoding="utf-16", xml_declaration=True)',
    texts,
  ),
]
