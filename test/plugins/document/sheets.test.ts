/** Results of formulas, and sheets on paper. */
import t from 'tap'
import { stored } from '../../fixtures/files.ts'
import { program } from '../../fixtures/program.ts'
import { worksheets as book, number, row, text, type Worksheet } from '../../fixtures/worksheets.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { pdfFacts } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

const formula = (at: string, content: string, result: string | number) =>
  `<c r="${at}"${typeof result === 'string' ? ' t="str"' : ''}><f>${content}</f><v>${result}</v></c>`
const asking = { workbook: '<calcPr calcId="124519" fullCalcOnLoad="1"/>' }

t.test('results that a library left at 0 are calculated', async (t) => {
  const cells = (first: number) =>
    row('<c r="A1"><v>11</v></c>', formula('B1', 'A1*2', first), formula('C1', 'IF(A1>2,"big","small")', 0))
  for (const content of [await book({ One: { rows: cells(7) } }, asking), await book({ One: { rows: cells(0) } })]) {
    t.equal(await raw(content, 'xlsx>csv'), '11,22,big\n')
  }
  const stored = await book({ One: { rows: cells(7) } })
  t.match(await raw(stored, 'xlsx>csv'), '11,7,', 'else, results are kept as they are')
})

t.test('a part with a wrong checksum is read', async (t) => {
  const broken = await book({ One: { rows: row(text('kept')) } })
  // The last one is in the directory, which has the checksum 30 bytes before the name.
  const at = broken.lastIndexOf('xl/_rels/workbook.xml.rels') - 30
  broken.writeUInt32LE(broken.readUInt32LE(at) ^ 1, at)
  t.equal(await raw(broken, 'xlsx>csv'), 'kept\n')
})

t.test('stored results take the place of errors', async (t) => {
  const rows = row(
    formula('A1', 'NOSUCH(1)', 42),
    formula('B1', 'A1+1', 43),
    formula('C1', 'MID(CELL("filename"),2,9)', 'Lantern'),
    formula('D1', 'INDIRECT("\'[other.xlsx]One\'!A1")', 'far'),
    formula('E1', '1/0', 0),
    formula('F1', '_xlfn.XLOOKUP(1,H1:H2,I1:I2)', 'found'),
  )
  const wanted = '42,43,Lantern,far,#DIV/0!,found\n'
  const { bytes } = await made(await book({ One: { rows } }, asking), 'xlsx>ods')
  t.equal(await raw(bytes, 'ods>csv'), wanted)
  const kept = await raw(await book({ One: { rows } }), 'xlsx>csv')
  t.match(kept, '42,43,Lantern,far', 'also where nothing asks for new results')
})

t.test('stored results of macros, and what is calculated from them, are printed: macros do not run', async (t) => {
  const { path } = await made(await stored('macro.xlsm'), 'xlsm>pdf')
  t.match((await program('pdftotext', path, '-')).toString(), /^4711\s+4712\s*$/)
})

t.test('hidden sheets are not printed, although they have print areas', async (t) => {
  const sheets: Record<string, Worksheet> = {
    Shown: { rows: row(text('shown'), formula('B1', 'Secret!A1&amp;"!"', 'salaries!')) },
    Secret: { rows: row(text('salaries')), state: 'hidden' },
    Deep: { rows: row(text('pensions')), state: 'veryHidden' },
  }
  const areas = [1, 2].map(
    (id) =>
      `<definedName name="_xlnm.Print_Area" localSheetId="${id}">${Object.keys(sheets)[id]}!$A$1:$B$2</definedName>`,
  )
  const content = await book(sheets, { workbook: `<definedNames>${areas.join('')}</definedNames>` })
  const { path } = await made(content, 'xlsx>pdf')
  const words = (await program('pdftotext', path, '-')).toString().split(/\s+/).filter(Boolean)
  t.strictSame(words, ['shown', 'salaries!'])
})

t.test('a page setup is followed; a wide sheet without one is turned', async (t) => {
  const rows = Array.from({ length: 30 }, (_, y) =>
    row(...Array.from({ length: 12 }, (_, x) => (y ? number(x * y) : text(`Heading number ${x}`)))),
  ).join('')
  const paper = async (sheet: Partial<Worksheet>) => {
    const facts = await pdfFacts((await made(await book({ One: { rows, ...sheet } }), 'xlsx>pdf')).path)
    return `${facts['Page size']?.replace(/\.\d+/g, '').replace(/ pts.*/, '')}, ${facts.Pages}`
  }
  t.equal(await paper({}), '841 x 595, 1')
  t.equal(await paper({ after: '<pageSetup paperSize="9" orientation="portrait"/>' }), '595 x 841, 2')
  t.equal(await paper({ after: '<pageSetup paperSize="9" scale="40" orientation="portrait"/>' }), '595 x 841, 1')
  t.equal(await paper({ after: '<headerFooter><oddHeader>&amp;CAll</oddHeader></headerFooter>' }), '595 x 841, 2')
  const breaks = '<rowBreaks count="1" manualBreakCount="1"><brk id="10" max="16383" man="1"/></rowBreaks>'
  t.equal(await paper({ after: breaks }), '595 x 841, 4')
  // As LibreOffice writes it for everybody.
  const spelled = '<pageSetup paperSize="9" scale="100" pageOrder="downThenOver" orientation="portrait" copies="1"/>'
  t.equal(await paper({ after: spelled }), '841 x 595, 1')
})

t.test('texts that are longer than a page', async (t) => {
  const words = Array.from({ length: 2400 }, (_, index) => `w${index}`)
  const sheet = await book({ One: { rows: row(text('a'), text(words.join(' ')), text('z')) } })
  for (const [pair, source] of Object.entries({ 'xlsx>pdf': sheet, 'csv>pdf': `name,story\na,${words.join(' ')}\n` })) {
    const printed = (await program('pdftotext', (await made(source, pair)).path, '-')).toString().split(/\s+/)
    t.strictSame(new Set(words).difference(new Set(printed)), new Set(), pair)
  }
})

t.test('pivot tables are as Excel has laid them out', async (t) => {
  const laidOut = 'Ship,Crew\na,3\nb,4\n,\nRow Labels,Sum of Crew\na,3\nb,4\nGrand Total,7\n'
  t.equal(await raw(stored('pivot.xlsx'), 'xlsx>csv'), laidOut)
})

t.test('a workbook whose members have backslashes in their names', async (t) => {
  const content = await book({ One: { rows: row(text('word'), formula('B1', '1+1', 0)) } }, asking)
  const names = /(?:_rels|xl)\/[\w./]*?\.(?:xml|rels)/g
  const other = content.toString('latin1').replace(names, (name) => name.replaceAll('/', '\\'))
  t.match(other, 'xl\\worksheets\\sheet1.xml')
  t.equal(await raw(Buffer.from(other, 'latin1'), 'xlsx>csv'), 'word,2\n')
})
