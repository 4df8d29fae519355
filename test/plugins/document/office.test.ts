/**
 * What LibreOffice and pandoc do not read alone: outline levels, tracked changes, tables in plain text, slides.
 */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { lettersIn } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw, said } = reader(own)

/** The sample of a format with text added before marks of its members. */
async function extended(format: string, additions: Readonly<Record<string, readonly [mark: string, text: string]>>) {
  const members = (await readMembers(await readFile((await sample(format)).path))).map(({ name, content }) => {
    const [mark, text] = additions[name] ?? ['', '']
    return [name, mark ? content.toString().replace(mark, text + mark) : content]
  })
  return zipped(Object.fromEntries(members))
}

/** The Word sample, which begins with `paragraphs`. */
const written = async (paragraphs: string, styles = '') =>
  extended('docx', { 'word/document.xml': ['<w:p>', paragraphs], 'word/styles.xml': ['</w:styles>', styles] })

t.test('styles and paragraphs with an outline level are headings', async (t) => {
  const level = (number: number) => `<w:outlineLvl w:val="${number}"/>`
  const style = (id: string, content: string) =>
    `<w:style w:type="paragraph" w:customStyle="1" w:styleId="${id}"><w:name w:val="${id} of ours"/>${content}</w:style>`
  const paragraph = (properties: string, text: string) =>
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const before = `<w:pPrChange w:id="9" w:author="A"><w:pPr>${level(1)}</w:pPr></w:pPrChange>`
  const html = await raw(
    await written(
      paragraph('<w:pStyle w:val="Chapter"/>', 'Seafaring') +
        paragraph('<w:pStyle w:val="Part"/>', 'Rigging') +
        paragraph(`<w:pStyle w:val="Body"/>${level(1)}`, 'Ballast') +
        paragraph('<w:pStyle w:val="Body"/>', 'Plain words') +
        paragraph(before, 'Demoted words'),
      style('Chapter', `<w:pPr>${level(0)}</w:pPr>`) +
        style('Part', '<w:basedOn w:val="Chapter"/>') +
        style('Body', `<w:pPr>${level(9)}</w:pPr>`),
    ),
    'docx>html',
  )
  for (const shown of ['h1[^>]*>Seafaring', 'h1[^>]*>Rigging', 'h2[^>]*>Ballast', 'p>Plain words', 'p>Demoted words'])
    t.match(html, new RegExp(`<${shown}<`), shown)
})

t.test('targets without tracked changes get the new text only', async (t) => {
  const run = (text: string, kind = 't') => `<w:r><w:${kind} xml:space="preserve">${text}</w:${kind}></w:r>`
  const mark = (kind: 'ins' | 'del', content = '') =>
    `<w:${kind} w:id="7" w:author="A" w:date="2020-01-01T00:00:00Z"${content ? `>${content}</w:${kind}>` : '/>'}`
  const gone = (text: string) => mark('del', run(text, 'delText'))
  const source = await written(
    [
      `<w:p>${run('An ')}${mark('ins', run('easy'))}${gone('difficult')}${run(' start. ')}</w:p>`,
      `<w:p><w:pPr><w:rPr>${mark('del')}</w:rPr></w:pPr>${run('Joined ')}${gone('scuttled')}</w:p>`,
      `<w:p>${gone('capsized')}${run('again.')}</w:p>`,
      '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>',
      `<w:p>${run('Calm')}${gone('stormy')}</w:p></w:tc></w:tr></w:tbl>`,
    ].join(''),
  )
  const text = await said((await made(source, 'docx>odt')).bytes, 'odt>txt')
  t.match(text, /An easy start\. Joined again\. Calm/)
  t.notMatch(text, /difficult|scuttled|capsized|stormy/)
})

t.test('tables in plain text are columns, with the numbers of lists, and inner tables in them', async (t) => {
  const names = ['office', 'text', 'table', 'style']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const paragraph = (text: string) => `<text:p>${text}</text:p>`
  const item = (text: string, more = '') =>
    `<text:list text:style-name="L"${more}><text:list-item>${paragraph(text)}</text:list-item></text:list>`
  const table = (...rows: string[][]) =>
    `<table:table><table:table-column table:number-columns-repeated="2"/>${rows
      .map((row) => row.map((cell) => `<table:table-cell>${cell}</table:table-cell>`).join(''))
      .map((cells) => `<table:table-row>${cells}</table:table-row>`)
      .join('')}</table:table>`
  const p = paragraph
  const next = ' text:continue-numbering="true"'
  const body = [
    table([p('Name'), p('Place')], [p('Ada'), p('London')]),
    table([item('first'), p('one')], [item('second', next), p('two')]),
    table([table([p('inner'), p('value')]) + p('after'), p('right')], [p('below'), p('last')]),
    table([p('A'), table([p('B'), p('C')], [p('D'), p('E')])], [p('F'), p('G')]),
  ].join(p(''))
  const list =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>'
  const flat = `<?xml version="1.0" encoding="UTF-8"?><office:document ${names} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles>${list}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document>`
  const lines = (await raw(flat, 'fodt>txt')).replace('\ufeff', '').split('\n')
  const [one, two, three, four, ...rest] = lines.map((line) => line.trimEnd()).filter(Boolean)
  t.strictSame([one, two, three, four], ['Name  Place', 'Ada   London', '1. first   one', '2. second  two'])
  t.strictSame(rest, ['inner  right', 'value', 'after', 'below  last', 'A  B  C', '   D  E', 'F  G'])
})

const space = ['office', 'style', 'text', 'presentation'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
)
const typeface = 'fo:font-family="Arial" style:font-family-asian="Noto Sans CJK KR"'
const size = 'fo:font-size="40pt" style:font-size-asian="40pt"'

/** Slides in flat OpenDocument with a list of these lines. */
function deck(lines: readonly string[], visibility = 'visible'): Buffer {
  const items = lines.map((line) => `<text:list-item><text:p text:style-name="P1">${line}</text:p></text:list-item>`)
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<office:document ${space.join(' ')} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:automatic-styles>
<style:style style:name="D1" style:family="drawing-page"><style:drawing-page-properties
 presentation:visibility="${visibility}"/></style:style>
<style:style style:name="P1" style:family="paragraph"><style:text-properties ${typeface} ${size}/></style:style>
<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" text:bullet-char="•">
<style:list-level-properties text:space-before="0cm" text:min-label-width="1cm"/></text:list-level-style-bullet>
</text:list-style></office:automatic-styles><office:body><office:presentation>
<draw:page draw:style-name="D1"><draw:frame svg:width="24cm" svg:height="9cm" svg:x="2cm" svg:y="2cm"><draw:text-box>
<text:list text:style-name="L1">${items.join('')}</text:list></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document>`)
}

t.test('a presentation whose slides are all hidden is shown', async (t) => {
  const { path } = await own.convert(deck(['Harbour at night'], 'hidden'), 'fodp>pdf')
  t.match((await program('pdftotext', path, '-')).toString(), 'Harbour at night')
})

t.test('bullets without a font, and Korean beside Latin letters', async (t) => {
  const source = await own.convert(deck(['가나다abc가나다', '가나다가나다']), 'fodp>pptx')
  const members = await readMembers(source.bytes)
  const named = members.map(({ name, content }) => {
    const slide = /slides\/slide\d+\.xml$/.test(name)
    return [name, slide ? content.toString().replace(/<a:buFont [^>]*\/>/g, '') : content] as const
  })
  const slide = `${named.find(([name]) => name.endsWith('slides/slide1.xml'))?.[1]}`
  t.match(slide, /<a:buChar char="•"\/>/)
  const { path } = await own.convert(await zipped(Object.fromEntries(named)), 'pptx>pdf')
  const letters = await lettersIn(path)
  const bullets = letters.filter(({ letter }) => letter === '•')
  t.equal(bullets.length, 2)
  for (const bullet of bullets) t.match(bullet.font, /LiberationSans/, 'the font of the text')
  const at = (letter: string) => letters.find((one) => one.letter === letter)!.x
  const step = at('나') - at('가')
  t.ok(Math.abs(at('a') - at('다') - step) < 0.02 * step, `no more space before Latin: ${at('a') - at('다')}, ${step}`)
})

t.test('a presentation without words is no text', async (t) => {
  const refused = { code: 'CONVERSION_ERROR', message: 'The document has no text' }
  t.match(await own.failure(deck(['']), 'fodp>txt'), refused)
})

/** What begins the properties of an office document (MS-OLEPS 2.21). */
const PROPERTIES = Buffer.from('e0859ff2f94f6810ab9108002b27b3d9', 'hex')

t.test('titles of old presentations in the character set that they declare', async (t) => {
  const titled = { 'docProps/core.xml': ['</cp:coreProperties>', '<dc:title>Harbour report</dc:title>'] } as const
  const { bytes: show } = await made(await extended('pptx', titled), 'pptx>ppt')
  const start = show.indexOf(PROPERTIES) - 28 + show.readUInt32LE(show.indexOf(PROPERTIES) + PROPERTIES.length)
  const place = (id: number) => {
    const entries = Array.from({ length: show.readUInt32LE(start + 4) }, (_, index) => start + 8 + 8 * index)
    return start + show.readUInt32LE(entries.find((entry) => show.readUInt32LE(entry) === id)! + 4)
  }
  const title = place(2)
  show.writeUInt32LE(932, place(1) + 4)
  const length = show.readUInt32LE(title + 4)
  // スライド in Shift-JIS.
  Buffer.concat([Buffer.from('835883898343836800', 'hex')]).copy(show.fill(0, title + 8, title + 8 + length), title + 8)
  for (const to of ['md', 'html'])
    t.match(await raw(show, `ppt>${to}`), to === 'md' ? /^title: スライド$/m : '<title>スライド</title>')
})
