/** What readers of Word documents lose by themselves: lists, numbers, pictures, titles, comments and controls. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { NAMESPACES, paragraph, wordDocument } from './word.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { raw, said } = reader(own)

const level = (index: number, text: string, style = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${style && `<w:pStyle w:val="${style}"/>`}<w:lvlText w:val="${text}"/></w:lvl>`
const again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
const numbering = {
  name: 'numbering.xml',
  kind: 'numbering',
  content: `<w:numbering ${NAMESPACES}>
    <w:abstractNum w:abstractNumId="1">${level(0, '%1.')}</w:abstractNum>
    <w:abstractNum w:abstractNumId="2">${level(0, '%1', 'H1')}${level(1, '%1.%2', 'H2')}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="1"/>${again}</w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num></w:numbering>`,
}
const style = (id: string, name: string, properties = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr>${properties}</w:pPr></w:style>`
const counted = '<w:numPr><w:numId w:val="3"/></w:numPr>'
const styles = {
  name: 'styles.xml',
  kind: 'styles',
  content: `<w:styles ${NAMESPACES}>${style('T', 'Title')}${style('H1', 'heading 1', counted)}${style('H2', 'heading 2', counted)}</w:styles>`,
}
const heading = (words: string, id: string) => paragraph(words, `<w:pStyle w:val="${id}"/>`)
const item = (words: string, list: number) =>
  paragraph(words, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`)

t.test('lists that start anew in their first item, numbers of headings, and the title above them', async (t) => {
  const body = [
    heading('Harbour report', 'T'),
    heading('Ships', 'H1'),
    heading('Sails', 'H2'),
    ...[item('Apple', 1), item('Pear', 1)],
    heading('Boats', 'H1'),
    ...[item('Oak', 2), item('Elm', 1), item('Ash', 1)],
  ].join('')
  const source = await wordDocument(body, [numbering, styles])
  const md = await raw(source, 'docx>md')
  const lines = md.split('\n').filter(Boolean)
  const wanted = ['# Harbour report', '## 1 Ships', '### 1.1 Sails', '1. Apple', '2. Pear', '## 2 Boats']
  t.strictSame(
    lines.slice(3).map((line) => line.replace(/\s+/g, ' ')),
    [...wanted, '1. Oak', '2. Elm', '3. Ash'],
    md,
  )
  t.match(md, /^---\ntitle: Harbour report\n---/, 'also as a property')
  t.match(await raw(source, 'docx>html'), /<h1 class="title">Harbour report[\s\S]*<h2[^>]*>1 Ships/)
  const author = await raw(await wordDocument(paragraph('Words.')), 'docx>adoc')
  t.match(author, /^Words\.\s*$/)
})

t.test('results of fields, captions where they stand, and the words of diagrams in their order', async (t) => {
  const field = (instruction: string, result: string) =>
    `<w:fldSimple w:instr="${instruction}"><w:r><w:t>${result}</w:t></w:r></w:fldSimple>`
  const caption = (words: string, number: number) =>
    paragraph(words, '<w:pStyle w:val="C"/>', field(' SEQ Table \\* ARABIC ', `${number}`))
  const table = (words: string) =>
    `<w:tbl><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid><w:tr><w:tc>${paragraph(words)}</w:tc></w:tr></w:tbl>`
  const point = (id: string, words: string) =>
    `<d:pt modelId="${id}"><d:t><a:p><a:r><a:t>${words}</a:t></a:r></a:p></d:t></d:pt>`
  const link = (from: string, to: string, order: number) =>
    `<d:cxn modelId="${from}${to}" srcId="${from}" destId="${to}" srcOrd="${order}" destOrd="0"/>`
  const points = [point('doc', ''), point('late', 'Land'), point('early', 'Sail'), point('deep', 'at dawn')]
  const links = [link('doc', 'late', 1), link('doc', 'early', 0), link('early', 'deep', 0)]
  const diagram = `<d:dataModel xmlns:d="urn:d" xmlns:a="urn:a"><d:ptLst>${points.join('')}</d:ptLst><d:cxnLst>${links.join('')}</d:cxnLst></d:dataModel>`
  const captions = { ...styles, content: `<w:styles ${NAMESPACES}>${style('C', 'caption')}</w:styles>` }
  const shown = '<w:r><w:drawing><dgm:relIds xmlns:dgm="urn:d" r:dm="part2"/></w:drawing></w:r>'
  const body = [table('bare'), caption('Ships ', 7), table('cell'), caption('Boats ', 8)].join('')
  const source = await wordDocument(body + paragraph('By ', '', field(' AUTHOR ', 'Ann') + shown), [
    captions,
    { name: 'data.xml', kind: 'diagramData', content: diagram },
  ])
  const text = (await raw(source, 'docx>md')).replace(/[-|\s]+/g, ' ')
  t.match(text, /bare Ships 7 cell Boats 8 By Ann Sail at dawn Land/)
  t.match(await said(source, 'docx>txt'), /By Ann Sail at dawn Land/)
  const named = await wordDocument(caption('Ships ', 7) + table('cell') + caption('Boats ', 8) + table('frame'), [
    captions,
  ])
  t.match(await raw(named, 'docx>md'), /Ships 7[\s\S]*cell[\s\S]*Boats 8[\s\S]*frame/)
})

const picture = (id: string) =>
  `<w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="${id}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="${id}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`
/** A paragraph that declares what its parts need, as some programs do. */
const drawn = (content: string) =>
  `<w:p xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:v="urn:schemas-microsoft-com:vml"><w:r>${content}</w:r></w:p>`

t.test('pictures in text boxes and in formats of Windows are there, once, as browsers show them', async (t) => {
  const red = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const box = `<w:txbxContent><w:p><w:r>${picture('part1')}<w:t>Beside it</w:t></w:r></w:p></w:txbxContent>`
  const body = [
    drawn(`<w:pict><v:shape style="width:200pt"><v:textbox>${box}</v:textbox></v:shape></w:pict>`),
    drawn(picture('part2')),
  ].join('')
  const source = await wordDocument(body, [
    { name: 'media/red.png', kind: 'image', content: red },
    { name: 'media/old.wmf', kind: 'image', content: await readFile((await sample('wmf')).path) },
  ])
  for (const to of ['html', 'md']) {
    const page = await raw(source, `docx>${to}`)
    t.equal(page.split('data:image/png;base64,').length, 3, to)
    t.match(page, 'Beside it', to)
  }
})

const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`

t.test('comments in headers and notes, and choices in controls', async (t) => {
  const marked = (words: string) =>
    `<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>${words}</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`
  const choice = '<w:dropDownList><w:listItem w:value="LIS" w:displayText="Lisbon"/></w:dropDownList>'
  const body = [
    `<w:p>${control('<w:text/>', '<w:r><w:t>Before</w:t></w:r>')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    control(choice, paragraph('Lisbon')),
    control('', control('', paragraph('Nested words'))),
    '<w:sectPr><w:headerReference w:type="default" r:id="part1"/></w:sectPr>',
  ].join('')
  const source = await wordDocument(body, [
    { name: 'header1.xml', kind: 'header', content: `<w:hdr ${NAMESPACES}>${marked('Header words')}</w:hdr>` },
    {
      name: 'footnotes.xml',
      kind: 'footnotes',
      content: `<w:footnotes ${NAMESPACES}><w:footnote w:id="2">${marked('Note words')}</w:footnote></w:footnotes>`,
    },
    {
      name: 'comments.xml',
      kind: 'comments',
      content: `<w:comments ${NAMESPACES}><w:comment w:id="0" w:author="A">${paragraph('A remark')}</w:comment></w:comments>`,
    },
  ])
  for (const to of ['txt']) {
    const text = await said(source, `docx>${to}`)
    for (const words of ['Header words', 'Before', 'Lisbon', 'Nested words', 'Note words'])
      t.equal(text.split(words).length, 2, `${to}: ${words} in ${text}`)
    t.notMatch(text, 'LIS')
  }
})

t.test('words of text boxes with tables, and of controls in groups of them, where they stand', async (t) => {
  const box = (content: string) => `<v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox>`
  const size = 'style="width:200pt;height:90pt"'
  const cell = (words: string) => `<w:tc>${paragraph(words)}</w:tc>`
  const grid = '<w:tblGrid><w:gridCol w:w="900"/></w:tblGrid>'
  const table = `<w:tbl>${grid}<w:tr>${cell('Berth')}</w:tr><w:tr>${cell('Tide')}</w:tr></w:tbl>${paragraph('')}`
  const titled = `<w:p>${control('<w:text/>', '<w:r><w:t>Lamp</w:t></w:r>')}</w:p>`
  const body = [
    paragraph('Before'),
    drawn(`<w:pict><v:shape id="a" ${size}>${box(table)}</v:shape></w:pict>`),
    paragraph('Between'),
    drawn(`<w:pict><v:group id="b" ${size}><v:rect ${size}>${box(titled)}</v:rect></v:group></w:pict>`),
    paragraph('After'),
  ].join('')
  const source = await wordDocument(body)
  for (const to of ['txt', 'md', 'html'])
    t.match(await said(source, `docx>${to}`), /Before.*Berth.*Tide.*Between.*Lamp.*After/, to)
  t.match(await said(source, 'docx>pdf'), /Lamp/)
})

t.test('cells of tables whose grid has no widths, or fewer columns than a row', async (t) => {
  const cell = (text: string, span = '') => `<w:tc><w:tcPr>${span}</w:tcPr>${paragraph(text)}</w:tc>`
  const table = (grid: string, ...cells: string[]) =>
    `<w:tbl><w:tblPr/>${grid}<w:tr><w:trPr/>${cells.join('')}</w:tr></w:tbl>${paragraph('')}`
  const outer = `<w:tc>${table('', cell('brig'), cell('yawl'))}</w:tc>`
  const body = [
    table('<w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>', cell('ketch'), cell('dhow')),
    table('<w:tblGrid><w:gridCol w:w="9"/></w:tblGrid>', cell('sloop', '<w:gridSpan w:val="2"/>'), cell('barque')),
    table('<w:tblGrid><w:gridCol w:w="900"/></w:tblGrid>', outer),
  ]
  const source = await wordDocument(body.join(''))
  for (const to of ['md', 'html'])
    t.match(await said(source, `docx>${to}`), /ketch.*dhow.*sloop.*barque.*brig.*yawl/, to)
})

t.test('thick borders are as wide as they say', async (t) => {
  const border = '<w:pBdr><w:bottom w:val="thick" w:sz="12" w:space="1" w:color="FF0000"/></w:pBdr>'
  const { path } = await own.convert(await wordDocument(paragraph('Line', border)), 'docx>pdf')
  const lines = [...(await program('mutool', 'trace', path)).toString().matchAll(/<stroke_path linewidth="([\d.]+)"/g)]
  t.strictSame(new Set(lines.map(([, width]) => width)), new Set(['1.5']))
})

t.test('Word 2 for Windows', async (t) => {
  const text = Buffer.from('Harbour report\r\nCaf\xe9 at the quay, \x93quoted\x94.\r\n', 'latin1')
  const head = Buffer.alloc(0x300)
  for (const [value, at] of [[0xa5db, 0] as const, [45, 2] as const]) head.writeUInt16LE(value, at)
  // Where the text begins and ends, and its length.
  for (const [value, at] of [[0x300, 24] as const, [0x300 + text.length, 28] as const, [text.length, 52] as const])
    head.writeUInt32LE(value, at)
  const file = Buffer.concat([head, text, Buffer.alloc(512)])
  t.match(await said(file, 'doc>txt'), 'Harbour report Café at the quay, “quoted”.')
})

t.test('space at the top of pages that breaks begin, and lines with high spaces, as Word sets them', async (t) => {
  const spacing = (before: number, after: number) => `<w:spacing w:before="${before}" w:after="${after}"/>`
  const section = '<w:sectPr><w:pgSz w:w="9000" w:h="9000"/></w:sectPr>'
  const words = (size: number, text: string) =>
    `<w:r><w:rPr><w:sz w:val="${size}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const lines = (name: string, size: number) =>
    `<w:p>${words(20, `${name}Over`)}${words(size, ' ')}${words(20, 'word')}<w:r><w:br/></w:r>${words(20, `${name}Under`)}</w:p>`
  const body = [
    paragraph('first', spacing(0, 0)),
    lines('low', 20) + lines('high', 60),
    paragraph('end', spacing(0, 200) + section),
    paragraph('second', spacing(480, 400)),
    paragraph('third', `<w:pageBreakBefore/>${spacing(480, 600)}`),
    paragraph('fourth', `<w:pageBreakBefore/>${spacing(480, 0)}`),
  ].join('')
  const { path } = await own.convert(await wordDocument(body + section), 'docx>pdf')
  const seen = (await program('pdftotext', '-bbox', path, '-')).toString()
  const tops = Object.fromEntries(
    [...seen.matchAll(/yMin="([\d.]+)"[^>]*>(\w+)</g)].map(([, y, word]) => [word, Number(y)]),
  )
  const between = (one: string, other: string) => Math.round(tops[other]! - tops[one]!)
  t.strictSame(
    ['second', 'third', 'fourth'].map((word) => between('first', word)),
    [14, 4, 0],
  )
  t.equal(between('highOver', 'highUnder'), between('lowOver', 'lowUnder'))
})

t.test('a chart that does not count its values is drawn', async (t) => {
  const drawingml = 'http://schemas.openxmlformats.org/drawingml/2006'
  const of = (kind: string, values: readonly (string | number)[]) =>
    `<c:${kind}Ref><c:f/><c:${kind}Cache>${values.map((value, at) => `<c:pt idx=${kind === 'num' ? `"${at}"` : `'${at}'`}><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
  const series = `<c:ser><c:idx val="0"/><c:order val="0"/><c:tx>${of('str', ['Level'])}</c:tx><c:cat>${of('str', ['North', 'South'])}</c:cat><c:val>${of('num', [3, 4])}</c:val></c:ser>`
  const axis = (kind: string, id: number, other: number) =>
    `<c:${kind}><c:axId val="${id}"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="${other}"/></c:${kind}>`
  const content = `<c:chartSpace xmlns:c="${drawingml}/chart"><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series}<c:axId val="1"/><c:axId val="2"/></c:barChart>${axis('catAx', 1, 2)}${axis('valAx', 2, 1)}</c:plotArea><c:legend><c:legendPos val="r"/></c:legend></c:chart></c:chartSpace>`
  const shown = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${drawingml}/wordprocessingDrawing"><wp:extent cx="5000000" cy="3000000"/><wp:docPr id="1" name="chart"/><a:graphic xmlns:a="${drawingml}/main"><a:graphicData uri="${drawingml}/chart"><c:chart xmlns:c="${drawingml}/chart" r:id="part1"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const chart = { name: 'charts/chart1.xml', kind: 'chart', type: 'drawingml.chart', content }
  const { path } = await own.convert(await wordDocument(shown, [chart]), 'docx>pdf')
  const words = String(await program('pdftotext', path, '-')).split(/\s+/)
  t.match(words.filter((word) => /[a-z]/.test(word)).toSorted(), ['Level', 'North', 'South'])
})
