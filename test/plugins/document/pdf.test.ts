/** PDF as a source: what of its pages must be in texts that people edit. */
import t, { type Test as Tap } from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { cellsOf } from '../../matrix/document/cells.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { pdfFacts } from './reading.ts'
import { prose, report } from './report.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

/** The members of a zipped file by name. */
const partsOf = async (bytes: Buffer) => new Map((await readMembers(bytes)).map(({ name, content }) => [name, content]))
const pagesOf = async (path: string) => Number((await pdfFacts(path)).Pages)

const text = (xml: string) => xml.replace(/<\/w:p>/g, '\n').replace(/<[^>]*>/g, '')

/** Asserts without printing the whole text. */
const says = (t: Tap, whole: string, part: string | RegExp, name = String(part)) =>
  t.ok(typeof part === 'string' ? whole.includes(part) : part.test(whole), name)

/** The tables of a text by cells, as pandoc reads them: rows of texts. */
const cells = (html: string) =>
  [...html.matchAll(/<table[\s\S]*?<\/table>/g)].map(([table]) =>
    [...table.matchAll(/<tr[\s\S]*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<t[hd]([^>]*)>([\s\S]*?)<\/t[hd]>/g)].map(([, style, cell]) => {
        const spans = [/colspan="(\d)"/.exec(style!)?.[1], /rowspan="(\d)"/.exec(style!)?.[1]]
        const plain = cell!
          .replace(/<[^>]*>/g, '')
          .replace(/\s+/g, ' ')
          .trim()
        return spans.some(Boolean) ? `${plain} ${spans[0] ?? 1}x${spans[1] ?? 1}` : plain
      }),
    ),
  )

const pdf = (await made(report, 'html>pdf')).bytes
const word = (await made(pdf, 'pdf>docx')).bytes
const docx = await partsOf(word)
const body = docx.get('word/document.xml')!.toString()
const html = await raw(pdf, 'pdf>html')
const md = await raw(pdf, 'pdf>md')

/** The tables of the report: a row on each line, with spans of cells. */
const tables = [
  `Port 1x2|First half 2x1|Notes 1x2
Q1|Q2
Hamburg|1,204|1,310|Including the ferries that only stop for an hour in the outer basin
Bremen|0812|-15|
Kiel 1x2|7|3.5|low water
closed in June 3x1`,
  'Species|Count|Share\nHerring gull|412|51 %\nCommon tern|305|38 %\nEider|90|11 %',
  `Month|Rain|Wind
January|80 mm|SW 6
February|62 mm|W 5
March|55 mm|NW 4
April|41 mm|N 3`,
].map((table) => table.split('\n').map((row) => row.split('|')))

t.test('tables with lines around cells, with lines between rows, and with rows on colours', async (t) => {
  t.strictSame(cells(html), tables)
  says(t, md, /\| Herring gull +\| 412 +\| 51 % +\|/)
  says(t, md, '>0812</td>')
  t.equal(body.match(/<w:tbl>/g)?.length, 3)
  says(t, body, /<w:gridSpan w:val="3"\/>/)
  says(t, body, /<w:vMerge w:val="restart"\/>/)
  t.equal(body.match(/<w:tblHeader\/>/g)?.length, 4, 'two heads in the first table, one in each other')
})

t.test('paper, headers, footers and page numbers', async (t) => {
  says(t, body, '<w:pgSz w:w="11906" w:h="16838"/>', 'A4 in twentieths of a point')
  says(t, text(docx.get('word/header.xml')!.toString()), 'Harbour authority')
  says(t, docx.get('word/footer.xml')!.toString(), /Page <[\s\S]*instr=" PAGE "[\s\S]* of <[\s\S]*instr=" NUMPAGES "/)
  for (const said of [text(body), html, md]) {
    t.notOk(said.includes('Harbour authority'))
    t.notOk(/Page \d of/.test(said))
  }
})

t.test('superscripts, links, lists and emphasis', async (t) => {
  says(t, md, 'km^2^ and water is H~2~O')
  says(t, html, 'km<sup>2</sup>')
  says(t, body, /<w:vertAlign w:val="superscript"\/><\/w:rPr><w:t xml:space="preserve">2</)
  says(t, md, '[the survey](https://example.org/silt)')
  says(t, md, /-\s+first bullet .* hanging indent\n\s+-\s+inner point\n-\s+second bullet\n\n1\.\s+one\n2\.\s+two\n/)
  says(t, md, '**Bold words** and *slanted words*')
  says(t, md, /^# Harbour report$/m)
  says(t, md, /^## Ships by quarter$/m)
  says(t, md, `${prose} ${prose}`.trim(), 'lines of a paragraph are joined')
})

/** PostScript of ruled tables on pages across: rows of four cells below a head that each page repeats. */
function ledger(pages: number, rows: number): string {
  const cell = (text: string, column: number, y: number) =>
    `${80 + column * 150} ${y} 150 20 rectstroke ${84 + column * 150} ${y + 6} moveto (${text}) show`
  const row = (texts: string[], y: number) => texts.map((text, column) => cell(text, column, y)).join('\n')
  const page = (number: number) => {
    const lines = Array.from({ length: rows }, (_, index) => {
      const id = number * rows + index + 1
      return row([`00${id}`, `item ${id}`, `${id}.50`, '=1+1'], 440 - index * 20)
    })
    return [
      '/Helvetica findfont 11 scalefont setfont 0.5 setlinewidth',
      row(['No', 'Item', 'Price', 'Sum'], 460),
      ...lines,
      `400 30 moveto (- ${number + 1} -) show`,
      'showpage',
    ].join('\n')
  }
  return `%!PS\n<< /PageSize [842 595] >> setpagedevice\n${Array.from({ length: pages }, (_, index) => page(index)).join('\n')}`
}

t.test('a table over several pages is one table, and its paper lies across', async (t) => {
  const { bytes: source } = await made(ledger(3, 17), 'ps>pdf')
  const parts = await partsOf((await made(source, 'pdf>docx')).bytes)
  const document = parts.get('word/document.xml')!.toString()
  t.equal(document.match(/<w:tbl>/g)?.length, 1)
  t.equal(document.match(/<w:tr>/g)?.length, 3 * 17 + 1)
  says(t, document, '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>')
  says(t, parts.get('word/footer.xml')!.toString(), /PAGE/)
  t.notOk(/- \d -/.test(text(document)))
  const csv = (await raw(source, 'pdf>csv')).trim().split('\n')
  t.equal(csv.length, 3 * 17 + 1)
  t.strictSame([csv[0], csv[1], csv.at(-1)], ['No,Item,Price,Sum', '001,item 1,1.50,=1+1', '0051,item 51,51.50,=1+1'])
  const { path } = await made(source, 'pdf>xlsx')
  t.strictSame((await cellsOf(path, 'xlsx')).at(-1), ['0051', 'item 51', '51.5', '=1+1'])
})

t.test('each table is a sheet, and a PDF without tables has its lines as rows', async (t) => {
  const zip = await readMembers((await made(pdf, 'pdf>csv')).bytes)
  const names = ['Ships by quarter', 'Lines only between rows', 'Rows on colours']
  t.strictSame(
    zip.map(({ name }) => name),
    names.map((name) => `source-${name}.csv`),
  )
  says(t, zip[0]!.content.toString(), 'Bremen,0812,-15,\n')
  const letter = (await made('<p>Dear harbourmaster,</p><p>all is well.</p>', 'html>pdf')).bytes
  t.equal(await raw(letter, 'pdf>csv'), '"Dear harbourmaster,"\nall is well.\n')
})

t.test('a slide for each page, with nothing beyond its edges', async (t) => {
  const { bytes } = await made(pdf, 'pdf>pptx')
  const parts = await partsOf(bytes)
  const slides = [...parts].filter(([name]) => /slides\/slide\d+\.xml$/.test(name)).map(([, xml]) => xml.toString())
  t.equal(slides.length, await pagesOf(await own.file('report.pdf', pdf)))
  const [, wide, high] = /<p:sldSz cx="(\d+)" cy="(\d+)"/.exec(parts.get('ppt/presentation.xml')!.toString())!
  for (const slide of slides)
    for (const [, ...place] of slide.matchAll(/<a:off x="(\d+)" y="(\d+)"\/><a:ext cx="(\d+)" cy="(\d+)"/g)) {
      const [x, y, width, height] = place.map(Number)
      t.ok(x! + width! <= Number(wide) && y! + height! <= Number(high), `${place} is within the slide`)
    }
  says(t, slides[0]!, /<p:ph type="title"\/>[\s\S]*?Harbour report/)
  t.equal(slides[0]!.match(/<a:tbl>/g)?.length, 3)
  says(t, slides[0]!, /gridSpan="2"[\s\S]*First half/)
})

t.test('joined words, a linked note, and headers that name the chapter', async (t) => {
  const sentence =
    'Efficient officers affirm that the harbourmaster keeps the ledger of every ves\u00adsel that enters. '
  const chapter = (number: number) =>
    `<section><header>Chapter ${'abcdefg'[number]} of the log</header><div class="columns"><p>first${number} ${sentence.repeat(14)}${number === 0 ? 'noted<sup>1</sup>. ' : ''}</p><p>${sentence.repeat(14)} last${number}</p></div>${number === 0 ? '<footer><sup>1</sup> The note of the clerk.</footer>' : ''}</section>`
  const style =
    '@page { size: A4; margin: 20mm } body { font: 11pt/1.3 "Liberation Serif"; margin: 0 } section { break-after: page; height: 250mm; position: relative } header { height: 15mm; font-size: 9pt } .columns { columns: 2; column-gap: 8mm; text-align: justify } footer { position: absolute; bottom: 0; font-size: 8pt }'
  const log = `<meta charset="utf-8"><style>${style}</style>${[0, 1, 2, 3, 4].map(chapter).join('')}`
  const source = (await made(log, 'html>pdf')).bytes
  const said = await raw(source, 'pdf>md')
  t.notOk(/ves-|ves\u00ad/.test(said), 'parted words are joined')
  t.notOk(said.includes('of the log'))
  const order = [0, 1, 2, 3, 4].flatMap((number) => [`first${number}`, `last${number}`])
  t.strictSame(said.match(/(first|last)\d/g), order, 'the left column, then the right one')
  says(t, said, /noted\[\^1\]\./)
  says(t, said, '[^1]: The note of the clerk.')
  const notes = (await partsOf((await made(source, 'pdf>docx')).bytes)).get('word/footnotes.xml')!.toString()
  says(t, text(notes), 'The note of the clerk.')
})
