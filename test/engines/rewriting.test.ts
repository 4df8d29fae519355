/** Rewriting of XML and spreadsheets: damaged and hostile files neither fail as a whole nor take long. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readXml } from '../../engines/programs/tables/xml.ts'
import { program } from '../fixtures/program.ts'

t.setTimeout(3 * 60_000)

const programs = new URL('../../engines/programs/', import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'athanor-rewriting-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** Python that stands for LibreOffice's bridge, and copies a spreadsheet as before it is loaded. Prints the path. */
const copying = `
import sys, types
for name in ('com', 'com.sun', 'com.sun.star', 'com.sun.star.lang', 'com.sun.star.uno'):
    sys.modules[name] = types.ModuleType(name)
sys.modules['com.sun.star.lang'].Locale = object
sys.modules['com.sun.star.uno'].RuntimeException = RuntimeError
sys.path.append(sys.argv[1])
import os, sheets, tempfile
print(sheets.editable_copy(sys.argv[2], {'service': sheets.CALC}, tempfile.mkdtemp(dir=os.path.dirname(sys.argv[2])))[0])`

/** The copy of a spreadsheet that LibreOffice would load. */
async function copied(name: string, content: string | Buffer): Promise<Buffer> {
  const path = join(folder, name)
  await writeFile(path, content)
  const own = fileURLToPath(new URL('libreoffice', programs))
  return readFile((await program('/usr/bin/python3', '-c', copying, own, path)).toString().trim())
}

const excel = (...cells: string[]) =>
  `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">${cells.join('')}</Workbook>`
const moment = (text: string) => `<Cell><Data ss:Type="DateTime">${text}</Data></Cell>`

t.test('dates of Excel 2003 become numbers, impossible ones stay', async (t) => {
  const impossible = ['2021-02-29T10:00:00', '2021-02-28T24:30:00', '0000-01-01T10:00:00'].map(moment)
  const made = await copied('dates.xml', excel(moment('2021-03-01T12:00:00.000'), ...impossible))
  t.equal(`${made}`, excel('<Cell><Data ss:Type="Number">44256.5</Data></Cell>', ...impossible))
})

t.test('many beginnings of cells take no longer than their length', async (t) => {
  const hostile = excel('<Data Type="DateTime" '.repeat(20_000), `<Data ${'Type="DateTime"'.repeat(20_000)}>2021`)
  t.equal(`${await copied('hostile.xml', hostile)}`, hostile)
})

t.test('line breaks become letters in OpenDocument only', async (t) => {
  const cell = '<text:p>a<text:line-break/>b</text:p>'
  const flat = `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">${cell}</office:document>`
  t.match(`${await copied('flat.fods', flat)}`, '<text:p>a&#10;b</text:p>')
  t.equal(`${await copied('table.csv', cell)}`, cell)
})

/** An OpenDocument package whose picture may be damaged. */
const packing = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as package:
    package.writestr('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
    package.writestr('content.xml', '<text:p>a<text:line-break/>b</text:p>', zipfile.ZIP_DEFLATED)
    package.writestr('Thumbnails/thumbnail.png', 'PICTURE' * 10)`
const reading = `
import sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
print([package.testzip(), package.namelist()[0], package.read('content.xml').decode(), package.read('Thumbnails/thumbnail.png').decode()])`

t.test('packages are rewritten whole, or stay as they are', async (t) => {
  const path = join(folder, 'made.ods')
  await program('/usr/bin/python3', '-c', packing, path)
  const whole = await readFile(path)
  await writeFile(path, await copied('whole.ods', whole))
  const wanted = `[None, 'mimetype', '<text:p>a&#10;b</text:p>', '${'PICTURE'.repeat(10)}']`
  t.equal(`${await program('/usr/bin/python3', '-c', reading, path)}`.trim(), wanted)
  const damaged = Buffer.from(whole.toString('latin1').replace('PICTURE', 'RUINOUS'), 'latin1')
  t.same(await copied('damaged.ods', damaged), damaged)
})

t.test('white space of XML: layout is left out, blanks of values stay', async (t) => {
  const [layout, blanks] = [readXml('<a>\n  one\n two \n </a>'), readXml('<a> one </a>')]
  t.same([layout, blanks], [{ a: 'one\n two' }, { a: ' one ' }])
  t.same([readXml('<a>  </a>'), readXml('<a> \n </a>')], [{ a: '  ' }, { a: '' }])
  const code = `import(process.argv[1]).then(({ readXml }) => console.log(readXml('<a>x' + '\\n'.repeat(50_000) + 'y</a>').a.length))`
  const length = await program(process.execPath, '-e', code, new URL('tables/xml.ts', programs).href)
  t.equal(`${length}`.trim(), '50002', 'many line breaks')
})
