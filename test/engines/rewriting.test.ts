/** Rewriting of XML and spreadsheets. What nothing closes: `unclosed.all.test.ts`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { headed } from '../../engines/programs/plain/head.ts'
import { placedNotes } from '../../engines/programs/plain/marks.ts'
import { charted } from '../../engines/programs/repack/charts.ts'
import { readXml } from '../../engines/programs/tables/xml.ts'
import { program } from '../fixtures/program.ts'
import { folderOf } from '../harness/folder.ts'

t.setTimeout(20 * 60_000)

const programs = new URL('../../engines/programs/', import.meta.url)
const folder = await folderOf(t)

/** Python that stands for LibreOffice's bridge, and copies a spreadsheet as before it is loaded. Prints the path. */
const copying = `
import os, sys, types
for name in ('com', 'com.sun', 'com.sun.star', 'com.sun.star.lang', 'com.sun.star.uno'):
    sys.modules[name] = types.ModuleType(name)
sys.modules['com.sun.star.lang'].Locale = object
sys.modules['com.sun.star.uno'].RuntimeException = RuntimeError
sys.path += [sys.argv[1], os.path.dirname(sys.argv[1])]
import sheets, tempfile
spec = {'service': sheets.CALC, 'store': {}}
print(sheets.editable_copy(sys.argv[2], spec, tempfile.mkdtemp(dir=os.path.dirname(sys.argv[2])))[0])`

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
  const damaged = Buffer.from(whole.toString('latin1').replace('thumbnail.png', 'another-1.png'), 'latin1')
  t.same(await copied('damaged.ods', damaged), damaged)
})

t.test('title and metadata come into the head, not into comments, scripts or before the document type', async (t) => {
  const title = '<title>T</title>\n'
  for (const [start, end, made] of [
    ['<!-- <head> --><script>"<head>"</script><html><head>', '</head>', `\n${title}`],
    ['<!-- <html> --><HTML lang="de">', '<p>', `<head>\n${title}</head>`],
    ['<?xml version="1.0"?>\n<!-- a --> <!-- b --><!DOCTYPE html>', '<p>', `<html><head>\n${title}</head>\n`],
  ] as const)
    t.equal(headed(`${start}<title>T</title>${end}`), start + made + end)
  const meta = headed('<meta content="Say name = x" name="Description" data-name=y>')
  t.match(meta, '<meta name="description" content="Say name = x">')
})

t.test('marks of notes in JATS: tags stay in pairs, and no note is lost', async (t) => {
  const note = (id: string, text = id) => `<fn id="${id}"><p>${text}</p></fn>`
  const back = (...notes: string[]) => `<back><fn-group>${notes.join('')}</fn-group></back>`
  const mark = (id: string) => `<xref rid="${id}">1</xref>`
  const placed = (body: string, ...notes: string[]) => placedNotes(`<body>${body}</body>${back(...notes)}`)
  const a = '<fn><p>a</p></fn>'
  for (const [body, made] of [
    [`<sup> ${mark('a')} </sup>`, a],
    [`<sup>${mark('a')},${mark('bib')}</sup>`, `<sup>${a},${mark('bib')}</sup>`],
    [`<sup>2,${mark('a')}</sup>`, `<sup>2,${a}</sup>`],
    ['<xref rid="a"><sup>1</sup></xref>', a],
    [`<!-- ${mark('a')} -->${mark('a')}${mark('a')}`, `<!-- ${mark('a')} -->${a}${mark('a')}`],
  ])
    t.equal(placed(body!, note('a')), `<body>${made}</body><back></back>`)
  t.match(placed(mark('a'), note('a'), '<fn><p>b</p></fn>'), '<fn-group><fn><p>b</p></fn></fn-group>', 'one without id')
  t.match(placed(mark('a'), note('a'), note('b', `see ${mark('a')}`)), `see ${mark('a')}`, 'a mark in a note')
  t.match(placed(mark('a'), note('a'), note('a', 'again')), 'again', 'two with one id')
  const front = `<front>${mark('a')}</front><body>${mark('b')}</body>${back(note('a'), note('b'))}`
  t.match(placedNotes(front), new RegExp(`^<front>${mark('a')}</front><body><fn>.*${note('a')}</fn-group>`))
})

t.test('white space of XML: layout is left out, blanks of values stay', async (t) => {
  const layout = readXml('<a>\n  one\n two \n </a>')
  const blanks = readXml('<a> one </a>')
  t.same([layout, blanks], [{ a: 'one\n two' }, { a: ' one ' }])
  t.same([readXml('<a>  </a>'), readXml('<a> \n </a>')], [{ a: '  ' }, { a: '' }])
  t.equal((readXml(`<a>x${'\n'.repeat(50_000)}y</a>`) as { a: string }).a.length, 50_002, 'many line breaks')
})

t.test('a document that shows a chart many times does not grow without limit', async (t) => {
  const points = Array.from({ length: 10_000 }, (_, at) => `<c:pt idx="${at}"><c:v>1</c:v></c:pt>`).join('')
  const chart = `<c:ser><c:val>${points}</c:val></c:ser>`
  const { length } = charted(`${'<c:chart r:id="a"/>'.repeat(1000)}</w:p>`, () => chart)
  t.ok(length > 1_000_000 && length < 101_000_000, `${length}`)
})

/** Reads 32 MB of a zip that says that they are 10 bytes. Prints what is read, and whether more was unpacked. */
const bombed = `
import sys, tracemalloc, zipfile
sys.path += [sys.argv[1], sys.argv[1] + 'libreoffice', sys.argv[1] + 'epub']
from members import listed
from packages import bytes_of
with zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED) as package:
    package.writestr('a', b'a' * (1 << 25))
with zipfile.ZipFile(sys.argv[2]) as package:
    item = package.infolist()[0]
    item.file_size = 10
    tracemalloc.start()
    print(bytes_of(package, item), listed(package, [item]).read('a'), tracemalloc.get_traced_memory()[1] > 1 << 22)`

t.test('no more of a member is unpacked than its zip says', async (t) => {
  const said = await program('/usr/bin/python3', '-c', bombed, fileURLToPath(programs), join(folder, 'bomb.zip'))
  t.equal(`${said}`, `b'aaaaaaaaaa' b'aaaaaaaaaa' False\n`)
})
