/** What the document plugin runs for each kind of pair, without running it. */
import t from 'tap'
import { fictionBook } from '../../../engines/pandoc.ts'
import { type DirectRoute, enginesOfRoute } from '../../../kernel/catalogue/manifest/route.ts'
import { fail } from '../../../kernel/kit.ts'
import makeDocument from '../../../plugins/document/index.ts'
import makeEbook from '../../../plugins/ebook/index.ts'
import { agree, linesOf, officeTask, routesOf } from '../routes.ts'

const plugin = makeDocument({ settings: { ocr: { languages: ['deu', 'eng'] } } })
const commands = async (pair: string, options: object = {}, answers: Parameters<typeof linesOf>[3] = {}) =>
  (await linesOf(plugin, pair, { ...options }, answers)).map((line) =>
    line.startsWith('libreoffice {') ? officeTask(line) : line,
  )

/** Arguments that many commands have. */
const short = {
  MARKDOWN:
    '-t markdown-raw_html-raw_tex-raw_attribute-fenced_divs-bracketed_spans-native_divs-native_spans-link_attributes-header_attributes-simple_tables-multiline_tables-grid_tables-smart',
  HTML: '-t html5 --self-contained --mathml',
  'FICTION-BOOK': fictionBook,
  '-f PAGE': '-f html -M facts-page=true',
  TAGS: 'exiftool -j -struct -Title -Author -Creator -Subject -Keywords',
  'TAGS-OF-PDF':
    'exiftool -j -struct -PDF:Title -PDF:Author -PDF:Subject -PDF:Keywords -XMP-dc:Title -XMP-dc:Creator -XMP-dc:Description',
  PACKED:
    '--object-streams=generate --compress-streams=y --recompress-flate --compression-level=9 --decode-level=generalized',
}

t.test('each kind of pair', (t) =>
  agree(
    t,
    commands,
    `
csv>json: tables csv json
csv>html: tables csv html file
csv>html {"metadata":"remove"}: tables csv html
xlsx>csv: libreoffice Spreadsheet Calc MS Excel 2007 XML Text - txt - csv (StarCalc) 44,34,76,1,,0,false,true,true,false,false,-1 ; tables sheets csv /scratch /out/pages.zip file
xlsx>md: libreoffice Spreadsheet Calc MS Excel 2007 XML OpenDocument Spreadsheet Flat XML ; tables sheets html ; pandoc -f PAGE MARKDOWN
xlsx>md.zip: libreoffice Spreadsheet Calc MS Excel 2007 XML OpenDocument Spreadsheet Flat XML ; tables sheets html --comments ; pandoc -f PAGE MARKDOWN ; bundle
odt>docx: libreoffice Text writer8 MS Word 2007 XML
xlsx>json: libreoffice Spreadsheet Calc MS Excel 2007 XML OpenDocument Spreadsheet Flat XML ; tables sheets json
csv>md: tables csv html ; pandoc -f PAGE MARKDOWN
json>docx: tables json html ; pandoc -f PAGE -t docx
csv>xlsx: tables csv fods file xlsx ; libreoffice Spreadsheet OpenDocument Spreadsheet Flat XML Calc MS Excel 2007 XML
csv>pdf {"metadata":"remove"}: tables csv fods file pdf ; libreoffice Spreadsheet OpenDocument Spreadsheet Flat XML calc_pdf_Export strip title=file ; mutool-strip
epub>pdf: epub-packer --clean ; epub-packer --leaves ; calibre --paper-size a4 --pdf-page-numbers --preserve-cover-aspect-ratio
chm>pdf: chm ; calibre --paper-size a4 --pdf-page-numbers --preserve-cover-aspect-ratio
html>pdf: chromium --page=/scratch/printable.html --title=file
html>pdf {"metadata":"remove"}: chromium --page=/scratch/printable.html --title=file ; mutool-strip
md>pdf: plain ; pandoc -f markdown+lists_without_preceding_blankline+autolink_bare_uris -M facts-name=file HTML ; chromium ; exiftool -q -m -overwrite_original -TagsFromFile /scratch/page.html -Title -Author -Subject -Keywords
pdf>ocr.pdf: ocr look ; cp
pdf>ocr.pdf {"metadata":"remove"}: ocr look ; mutool-strip
pdf>txt: ocr look ; pdftotext -layout ; sed
png>txt: sharp {"task":"paper","input":"/in/file.png","output":"/scratch/page.pdf","from":"png","strip":false} ; ocr look ; pdftotext -layout ; sed
png>ocr.pdf: sharp {"task":"paper","input":"/in/file.png","output":"/out/file.ocr.pdf","from":"png","strip":false} ; ocr look
pdf>docx: ocr look ; mutool-read ; TAGS-OF-PDF ; reflow docx {}
pdf>csv: ocr look ; mutool-read ; reflow csv ; tables sheets csv /scratch /out/pages.zip file
pdf>xlsx: ocr look ; mutool-read ; reflow fods xlsx ; libreoffice Spreadsheet OpenDocument Spreadsheet Flat XML Calc MS Excel 2007 XML
pdf>md: ocr look ; mutool-read ; reflow linked ; TAGS-OF-PDF ; pandoc -f PAGE MARKDOWN
pdf>md.zip: ocr look ; mutool-read ; reflow marked ; TAGS-OF-PDF ; pandoc -f PAGE MARKDOWN ; bundle
md>html: plain ; pandoc -f markdown+lists_without_preceding_blankline+autolink_bare_uris -M facts-name=file HTML
md>html {"metadata":"remove"}: plain ; pandoc -f markdown+lists_without_preceding_blankline+autolink_bare_uris -M facts-remove=true HTML
xhtml>docx: plain --xhtml --complete ; TAGS ; pandoc -f PAGE -t json ; pandoc -f json -t docx ; repack --untitled
fb2>html: plain --unnamed ; pandoc -f FICTION-BOOK -M facts-name=file HTML
jats.xml>md: plain --jats ; pandoc -f jats MARKDOWN
wiki>md: plain --wiki ; pandoc -f mediawiki MARKDOWN
docx>md: repack --flow ; TAGS ; pandoc -f docx -M facts-visible=true MARKDOWN
docx>md {"metadata":"remove"}: repack --flow ; pandoc -f docx -M facts-remove=true -M facts-visible=true MARKDOWN
docx>md.zip: repack --flow ; TAGS ; pandoc -f docx -M facts-visible=true MARKDOWN --track-changes=all ; bundle
docx>html: repack --flow ; TAGS ; pandoc -f docx -M facts-visible=true -M facts-name=file HTML
md>docx: plain ; pandoc -f markdown+lists_without_preceding_blankline+autolink_bare_uris -t json ; pandoc -f json -t docx
html>docx: plain --complete ; TAGS ; pandoc -f PAGE -t json ; pandoc -f json -t docx ; repack --untitled
adoc>html: plain ; asciidoctor -b docbook5 ; plain --unnamed ; pandoc -f docbook -M facts-name=file HTML
epub>docx: epub-packer --clean --flat ; pandoc -f epub -t docx
ipynb>docx: plain ; pandoc -f ipynb+footnotes -t docx
docx>pdf: libreoffice Text MS Word 2007 XML writer_pdf_Export title=file
docx>pdf {"metadata":"remove"}: libreoffice Text MS Word 2007 XML writer_pdf_Export strip title=file ; mutool-strip
txt>pdf: plain ; libreoffice Text Text (encoded) writer_pdf_Export text title=file
xhtml>doc: plain --xhtml ; libreoffice Text HTML (StarWriter) MS Word 97
xlsx>pdf: libreoffice Spreadsheet Calc MS Excel 2007 XML calc_pdf_Export {"ExportNotes":true} title=file
pptx>pdf: libreoffice Presentation Impress MS PowerPoint 2007 XML impress_pdf_Export title=file
odp>ppsx: libreoffice Presentation impress8 Impress MS PowerPoint 2007 XML ; repack --show
docx>txt: libreoffice Text MS Word 2007 XML Text (encoded) UTF8,LF plain final
txt>html: plain ; libreoffice Text Text (encoded) HTML (StarWriter) EmbedImages text final title=file
txt>md: plain ; libreoffice Text Text (encoded) HTML (StarWriter) EmbedImages text final ; pandoc -f PAGE MARKDOWN
odg>pdf: libreoffice Drawing draw8 draw_pdf_Export title=file
eml>html: mail
eml>docx: mail ; pandoc -f PAGE -t docx ; repack --untitled
mht>html: web-archive
mht>pdf: web-archive ; chromium --page=/scratch/printable.html --title=file
hwp>html: hwp ; pandoc -f PAGE -M facts-name=file HTML
pptx>md: libreoffice Presentation Impress MS PowerPoint 2007 XML OpenDocument Presentation Flat XML ; slides ; pandoc -f PAGE MARKDOWN
pptx>html: libreoffice Presentation Impress MS PowerPoint 2007 XML OpenDocument Presentation Flat XML title=file ; slides ; pandoc -f PAGE -M facts-name=file HTML
png>pdf: sharp {"task":"paper","input":"/in/file.png","output":"/out/file.pdf","from":"png","strip":false}
jpg>pdf {"metadata":"remove"}: sharp {"task":"paper","input":"/in/file.jpg","output":"/out/file.pdf","from":"jpg","strip":true}
webp>pdf: sharp {"task":"paper","input":"/in/file.webp","output":"/out/file.pdf","from":"webp","jpeg":"4:2:0","strip":false}
ps>pdf: ghostscript -sDEVICE=pdfwrite
eps>pdf: ghostscript -sDEVICE=pdfwrite -dEPSCrop
djvu>pdf: ddjvu -format=pdf -quality=85 -skip ; djvutxt --detail=word ; djvu-words
svg>pdf: svg-plain mended ; librsvg -f pdf
emf>pdf: libreoffice Drawing EMF - MS Windows Metafile draw_pdf_Export fit
pdf>ps: pdftops -level3 -paper match
pdf>pdf: qpdf PACKED ; pdfinfo ; sharp {"task":"smaller","files":["/in/file.pdf","/scratch/packed.pdf","/scratch/last.pdf"],"output":"/out/file.pdf"}
pdf>pdf {"metadata":"remove"}: mutool-strip ; qpdf PACKED ; sharp {"task":"smaller","files":["/scratch/bare.pdf","/scratch/packed.pdf","/scratch/last.pdf"],"output":"/out/file.pdf"}
docx>docx: repack --small ; sharp {"task":"smaller","files":["/in/file.docx","/scratch/packed.docx"],"output":"/out/file.docx"}
docx>docx {"metadata":"remove"}: repack --small --bare ; sharp {"task":"smaller","files":["/scratch/packed.docx"],"output":"/out/file.docx"}
pdf>pdfa.pdf: pdfa look ; pdfa write /in/file.pdf
pdf>pdfa.pdf {"metadata":"remove"}: pdfa look ; pdfa write
docx>pdfa.pdf: libreoffice Text MS Word 2007 XML writer_pdf_Export {"SelectPdfVersion":2} title=file ; pdfa look ; pdfa write /scratch/described.pdf
png>pdfa.pdf: sharp {"task":"paper","input":"/in/file.png","output":"/scratch/page.pdf","from":"png","strip":false} ; pdfa look ; pdfa write /scratch/page.pdf
html>pdfa.pdf: chromium --page=/scratch/printable.html --title=file ; pdfa look ; pdfa write /scratch/described.pdf
svg>pdfa.pdf: svg-plain mended ; librsvg -f pdf ; pdfa look ; pdfa write /scratch/described.pdf
dxf>pdf: ezdxf paper ; librsvg -f pdf -d 96 -p 96
dwg>pdf: libredwg ; ezdxf paper ; librsvg -f pdf -d 96 -p 96
`,
    /^(.*)$/,
    short,
  ),
)

const flat = 'Form: none\nTagged: no\nJavaScript: no\nEncrypted: no'
const refused = fail('CONVERSION_ERROR', 'no')
const look = (found: object) => JSON.stringify({ unread: '1', read: 1, pages: 2, broken: null, ...found })

t.test('what findings change', async (t) => {
  const facts = JSON.stringify([{ Title: 'A', Author: ['B', 'C'], Description: 'D', Keywords: 7 }])
  const told = '-M facts-title=A -M facts-author=B, C -M facts-subject=D'
  t.match(await commands('docx>md', {}, { exiftool: facts }), [/^repack/, /^exiftool/, new RegExp(told)])
  t.match(await commands('docx>md', {}, { exiftool: refused }), [/^repack/, /^exiftool/, /visible=true -t/])
  t.match(await commands('docx>html', {}, { repack: 'metafiles' }), [
    /^repack/,
    /^libreoffice metafiles/,
    /^exif/,
    /^pandoc/,
  ])
  const copying = /^exiftool -q -m -overwrite_original -TagsFromFile/
  t.match(await commands('html>pdf', {}, { chromium: 'described' }), [/^chromium/, copying])
  const screen =
    'ghostscript -sDEVICE=pdfwrite -dPDFSETTINGS=/ebook -dCompatibilityLevel=1.6 -dDetectDuplicateImages=true'
  t.match(await commands('pdf>pdf', {}, { pdfinfo: flat }), [/^qpdf/, 'pdfinfo', screen, /^qpdf/, /^sharp/])
  for (const lost of flat.split('\n')) {
    const pdfinfo = flat.replace(lost, lost.replace(/no(ne)?$/, 'yes'))
    t.match(await commands('pdf>pdf', {}, { pdfinfo }), [/^qpdf/, 'pdfinfo', /^sharp/], lost)
  }
  t.match(await commands('pdf>pdf', {}, { pdfinfo: flat, ghostscript: refused }), [/^qp/, /^pdf/, /^gh/, /^sharp/])
  t.match(await commands('pdf>pdfa.pdf', {}, { pdfa: ['bare\nredraw\nfont X', ''] }), [
    'pdfa look',
    /^mutool-appear/,
    /^ghostscript -sDEVICE=pdfwrite -dPDFSETTINGS=\/prepress .*-dDownsampleMonoImages=false/,
    'pdfa write /in/file.pdf',
  ])
})

t.test('pages without text are read, in the configured languages', async (t) => {
  t.match(await commands('pdf>txt', {}, { ocr: look({}) }), [
    'ocr look',
    'ocr text deu,eng 1',
    'pdftotext -layout',
    /^sed/,
  ])
  t.match(await commands('pdf>md', {}, { ocr: look({}) }), ['ocr look', 'ocr flow deu,eng 1', /^mutool-read/])
  t.match(await commands('pdf>ocr.pdf', {}, { ocr: look({ read: 2 }) }), ['ocr look', 'ocr layer deu,eng 1'])
  const mended = await commands('pdf>txt', {}, { ocr: look({ read: 0, broken: ['a'] }) })
  t.match(mended, ['ocr look', 'ocr mend ["a"]', 'pdftotext -layout', /^sed/])
  t.match(await commands('pdf>txt', {}, { ocr: [look({}), refused] }), [/look/, /text/, /^pdftotext/, /^sed/])
  t.match(await commands('pdf>txt', {}, { ocr: look({ read: 0, turned: true }) }), [
    'ocr look',
    /^mutool-read/,
    /^reflow/,
  ])
  const nothing = { code: 'CONVERSION_ERROR', message: 'The picture shows no text' }
  await t.rejects(commands('png>txt', {}, { ocr: [look({}), 'read 0'] }), nothing)
  t.match(await commands('png>txt', {}, { ocr: [look({}), 'read 1'] }), [
    /^sharp/,
    /look/,
    'ocr text deu,eng 1',
    /^pdftotext/,
    /^sed/,
  ])
  const book = makeEbook({ settings: { ocr: { languages: [] } } })
  const [, read] = await linesOf(book, 'pdf>epub', {}, { ocr: look({}) })
  t.equal(read, 'ocr flow all 1', 'all, if none is configured')
})

t.test('books with a fixed layout: many pages are heavy, and other books need no browser', async (t) => {
  const lines = (count: number, light: boolean) =>
    linesOf(plugin, 'epub>pdf', {}, { 'epub-packer': `leaves ${count}` }, light)
  const [, , ...few] = await lines(100, true)
  const pages = Array.from({ length: 100 }, () => 'chromium')
  t.strictSame(few, [...pages, 'epub-binder /scratch/leaves/%03d.leaf.pdf'])
  await t.rejects(lines(101, true), { name: 'NeedsHeavy' })
  t.equal((await lines(101, false)).length, 104)
  const isPlain = (route: DirectRoute) =>
    enginesOfRoute(route).every(({ name }) => name !== 'chromium' && name !== 'epub-binder')
  for (const pair of ['epub>pdf', 'mobi>pdf']) t.ok(routesOf(plugin, pair).some(isPlain), pair)
})

t.test('the heavy lane', async (t) => {
  const heavy = (from: string, to: string, size: number) =>
    plugin.heavy({ from, to, intent: 'convert', size, options: {} })
  for (const [from, to, size, expected] of [
    ['docx', 'pdf', 20_000_000, false],
    ['docx', 'pdf', 20_000_001, true],
    ['png', 'ocr.pdf', 1, true],
    ['pdf', 'docx', 500_000, false],
    ['pdf', 'docx', 500_001, true],
    ['pdf', 'pdf', 500_001, false],
  ] as const)
    t.equal(heavy(from, to, size), expected, `${from} ${to} ${size}`)
})
