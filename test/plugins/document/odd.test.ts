/** Unusual but real documents: old character sets, missing pictures, text boxes, large sheets, mails. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { sample } from '../../fixtures/samples.ts'
import { workbook } from '../../fixtures/spreadsheet.ts'
import { zip } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file, folder } = documents

const said = async (path: string, to: string) => (await textOf((await convert(path, to)).path, to)).replace(/\s+/g, ' ')

t.test('texts in several character sets', async (t) => {
  const text = 'Größe naïve café\n'
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  for (const content of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(text, 'latin1'), wide])
    for (const to of ['pdf', 'docx', 'html'])
      t.match(await said(await file('text.txt', content), to), 'Größe naïve café', `${content.length} bytes to ${to}`)
})

t.test('tables and markup in old character sets', async (t) => {
  const cyrillic = Buffer.from([0xcc, 0xee, 0xf0, 0xe5, 0x20, 0xe8, 0x20, 0xec, 0xe0, 0xff, 0xea]) // Море и маяк
  const table = Buffer.concat([Buffer.from('name;place\n'), cyrillic, Buffer.from(';1\n')])
  for (const to of ['json', 'xlsx', 'pdf']) t.match(await said(await file('table.csv', table), to), 'Море и маяк', to)
  const markup = Buffer.concat([Buffer.from('# '), cyrillic, Buffer.from('\n')])
  for (const to of ['html', 'docx']) t.match(await said(await file('text.md', markup), to), 'Море и маяк', to)
})

t.test('pages that declare their character set, and missing pictures', async (t) => {
  const page =
    '<html><head><meta charset="windows-1251"></head><body><p>до \xec\xee\xf0\xe5</p><img src="gone.png" alt="chart"><img src="https://example.org/a.png"></body></html>'
  const bytes = Buffer.from(page.replace('до', '\xe4\xee'), 'latin1')
  for (const to of ['pdf', 'docx', 'txt']) t.match(await said(await file('page.html', bytes), to), 'до море', to)
})

t.test('pictures with paths on another machine: their text stays', async (t) => {
  const pictures = '![chart](/images/chart.png) ![plan](file:///srv/plan.png) ![map](C:\\\\map.png)'
  const md = await file('page.md', Buffer.from(`before ${pictures} after\n`))
  const html = await file('site.html', Buffer.from('<p>before <img src="/logo.png" alt="chart"> after</p>'))
  for (const source of [md, html])
    for (const to of ['docx', 'pdf', 'odt', 'txt'])
      t.match(await said(source, to), /before[\s\S]*after/, `${source} ${to}`)
})

t.test('text boxes and notes in a Word document', async (t) => {
  const box =
    '<w:p><w:r><w:t>before</w:t></w:r><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:200pt;height:50pt"><v:textbox><w:txbxContent><w:p><w:r><w:t>harbourmaster boxed</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>'
  const members = readMembers(await readFile((await sample('docx')).path)).map(({ name, content }) => [
    name,
    name === 'word/document.xml' ? content.toString().replace('<w:body>', `<w:body>${box}`) : content,
  ])
  const boxed = `${folder}/boxed.docx`
  await zip(boxed, Object.fromEntries(members))
  for (const to of ['txt', 'html', 'md', 'pdf', 'odt']) t.match(await said(boxed, to), 'harbourmaster boxed', to)
})

t.test('Excel 2003 worksheets in XML, and HTML tables named as worksheets', async (t) => {
  const rows = (row: string, cell: (text: string) => string) =>
    [
      ['Haven', 'Größe'],
      ['Zoë', '12.5'],
    ].map((cells) => `<${row}>${cells.map(cell).join('')}</${row}>`)
  const cell = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>${rows('Row', cell).join('')}</Table></Worksheet></Workbook>`
  const table = `<table>${rows('tr', (text) => `<td>${text}</td>`).join('')}</table>`
  const page = `<html><head><meta charset="utf-8"></head><body>${table}</body></html>`
  for (const content of [xml('UTF-8'), Buffer.from(xml('ISO-8859-1'), 'latin1'), page])
    t.equal((await convert(await file('a.xls', content), 'csv')).bytes.toString(), 'Haven,Größe\nZoë,12.5\n')
})

t.test('missing frames and sounds in a book', async (t) => {
  const members = readMembers(await readFile((await sample('epub')).path)).map(({ name, content }) => [
    name,
    /\.x?html$/.test(name)
      ? content
          .toString()
          .replace(
            '</body>',
            '<iframe src="gone.xhtml"></iframe><audio src="gone.mp3"></audio><p>afterwards</p></body>',
          )
      : content,
  ])
  const book = `${folder}/frames.epub`
  await zip(book, Object.fromEntries(members))
  for (const to of ['pdf', 'html', 'docx']) t.match(await said(book, to), 'afterwards', to)
})

t.test('mails that declare the wrong character set', async (t) => {
  for (const encoding of ['utf8', 'latin1'] as const) {
    const head = 'From: Zoë <zoe@example.org>\r\nSubject: Grüße\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n'
    const text = await said(await file('a.eml', Buffer.from(`${head}Envoyé par Mobilité.\r\n`, encoding)), 'html')
    for (const words of ['Zoë', 'Grüße', 'Envoyé par Mobilité.']) t.match(text, words, encoding)
  }
})

t.test('a wide table fits on paper', async (t) => {
  const row = (cell: (index: number) => string) =>
    `| ${Array.from({ length: 12 }, (_, index) => cell(index)).join(' | ')} |`
  const source = [row((index) => `heading${index}`), row(() => '---'), row((index) => `harbour${index}`)].join('\n')
  const text = await said(await file('a.md', `${source}\n`), 'pdf')
  t.equal(text.match(/harbour/g)?.length, 12)
})

t.test('pages with drawings become images, empty pages are skipped', async (t) => {
  const page = (content: string, at: number) =>
    `${at} 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents ${at + 1} 0 R>>\nendobj\n${at + 1} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`
  const pdf = `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>\nendobj\n${page('1 0 0 rg 20 20 100 50 re f', 3)}${page('q Q', 5)}7 0 obj\n<</Creator(Plotter 7)>>\nendobj\ntrailer\n<</Root 1 0 R/Info 7 0 R>>\n`
  const { bytes } = await convert(await file('drawn.pdf', pdf), 'html')
  t.equal(bytes.toString().match(/<img[^>]*src="data:image\/png/g)?.length, 1)
  t.notMatch(bytes.toString(), 'Plotter', 'the program that made it is not its author')
})

t.test('a Word 2003 document in XML', async (t) => {
  const xml =
    '<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:t>harbourmaster</w:t></w:r></w:p></w:body></w:wordDocument>'
  for (const to of ['txt', 'pdf', 'docx']) t.match(await said(await file('a.doc', xml), to), 'harbourmaster', to)
})

t.test('named characters in AsciiDoc', async (t) => {
  const source = await file('a.adoc', 'caf&eacute; &mdash; 5&nbsp;&euro; &lt;b&gt; &unheardof;\n')
  t.match(await said(source, 'html'), 'café — 5 € <b> &unheardof;')
})

t.test('long texts in records are complete on paper', async (t) => {
  const words = Array.from({ length: 300 }, (_, index) => `word${index}`)
  const items = [1, 2].map((item) => `<item><title>t${item}</title><text>${words.join(' ')}</text></item>`)
  const xml = `<?xml version="1.0"?><rss><channel><title>news</title>${items.join('')}</channel></rss>`
  const text = await said(await file('a.xml', xml), 'pdf')
  t.equal(words.filter((word) => text.split(' ').filter((one) => one === word).length === 2).length, words.length)
})

t.test('a sheet with many rows keeps all of them', async (t) => {
  const rows = Array.from({ length: 30_000 }, (_, index) => [`row ${index}`, String(index), String(index / 8)])
  const book = `${folder}/large.xlsx`
  await workbook(book, { Large: rows })
  const { bytes } = await convert(book, 'csv')
  const lines = bytes.toString().trimEnd().split('\n')
  t.equal(lines.length, rows.length)
  t.equal(lines.at(-1), 'row 29999,29999,3749.875')
})

t.test('a mail shows its sender and its attachments', async (t) => {
  for (const from of ['eml', 'msg']) {
    const text = await said((await sample(from)).path, 'txt')
    t.match(text, 'Quillon Ferndale', `${from}: its author`)
    t.match(text, 'Zephyrine Almanac', `${from}: its subject`)
  }
  t.match(await said((await sample('eml')).path, 'pdf'), 'ledger.txt', 'what is attached')
  const hostile =
    'From: a@example.org\r\nContent-Type: text/html\r\n\r\n<p>kept</p><script>alert(1)</script><iframe src="file:///etc/passwd"></iframe>'
  const { bytes } = await convert(await file('mail.eml', hostile), 'html')
  t.match(bytes.toString(), '<p>kept</p>')
  t.notMatch(bytes.toString(), /<script|<iframe/)
})
