/** Own programs that read text end by themselves on 1 MB of each opening mark that nothing closes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { zipped } from '../fixtures/zip.ts'
import { folderOf } from '../harness/folder.ts'

t.setTimeout(60 * 60_000)

/** Seconds of processor time. What grows with the square of 1 MB takes many times as much. */
const MAX = 20
const SIZE = 1_000_000

const folder = await folderOf(t)
const programs = fileURLToPath(new URL('../../engines/programs', import.meta.url))
const [input, output] = ['input', 'output'].map((name) => join(folder, name)) as [string, string]

/** What is run, and the marks that it reads. `file` makes its source of a text, which else is the source. */
interface Reader {
  command: readonly string[]
  marks: readonly string[]
  file?: (text: string) => string | Promise<Buffer>
}

const started = (program: string) => [
  program.endsWith('.py') ? '/usr/bin/python3' : process.execPath,
  join(programs, program),
]
/** A program with its files first, or behind its arguments. */
const before = (program: string, ...args: string[]) => ({ command: [...started(program), input, output, ...args] })
const behind = (program: string, ...args: string[]) => ({ command: [...started(program), ...args, input, output] })
/** A part of LibreOffice's program, in Python; `data` is the source. */
const within = (module: string, call: string) => {
  const code = `import sys; sys.path += sys.argv[2:]; from ${module} import *; data = open(sys.argv[1], 'rb').read(); ${call}`
  return { command: ['/usr/bin/python3', '-c', code, input, join(programs, 'libreoffice'), programs] }
}

const xml = [
  '<',
  '<!--',
  '<![CDATA[',
  '<?',
  '<!',
  '<!DOCTYPE ',
  '<!DOCTYPE "',
  '<!DOCTYPE[',
  '<!ENTITY a "',
  '<a',
  '<a ',
]
const markup = [
  ...xml,
  '<a b="',
  "<a b='",
  '<a>',
  '</a',
  '&',
  '<script ',
  '<script>',
  '<style>',
  '<title>',
  '<meta ',
  '<head>',
  '<body>',
  '<html ',
  '<table>',
  '<td ',
  '<iframe>',
  '<object>',
  '<svg>',
  '<textarea>',
  '<b>',
  ' ',
  '\n',
  '"',
]
const text = (start: string, end = '') => ({ file: (middle: string) => start + middle + end })
const packed = (member: string, start = '', end = '') => ({
  file: (middle: string) => zipped({ [member]: start + middle + end }),
})

const fb2 = (start: string, end = '') => ({
  command: ['pandoc', '-f', join(programs, 'pandoc/fiction-book.lua'), '-t', 'html', '-o', output, input],
  ...text(start, end),
})

const drawing = {
  ...text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">', '</svg>'),
  marks: [
    ...xml,
    '<g>',
    '<g a="',
    '<g/>',
    'a<g/>',
    '<g opacity="0"/>',
    '<image/>',
    '<style>',
    '<style>a{b:url(',
    '</style',
    '<g style="fill:url(#',
    '<path d="',
    '<path d="M1 1"/>',
    '<use href="#a"/>',
    '<text>',
    '<foreignObject>',
    ' style="',
    'light-dark(',
  ],
}
const table = '<office:document><office:body><office:spreadsheet><table:table table:name="A">'
const cell = '<table:table-row><table:table-cell office:value-type="string">'
const styles = ['<w:style ', '<w:style w:type="paragraph">', '<w:name ', '<w:name w:val="']
const related = '<Relationship Id="a" Target="a.xml"/>'
const shown = { 'word/document.xml': '<c:chart r:id="a"/></w:p>', 'word/_rels/document.xml.rels': related }
const charted = (part: string) => zipped({ ...shown, 'word/a.xml': part })
const word = [
  '<w:p>',
  '<w:p ',
  '<w:pPr>',
  '<w:pPr><w:outlineLvl ',
  '<w:txbxContent>',
  '<mc:Fallback>',
  '<w:t>',
  '<w:sdt>',
  '<w:fldSimple ',
  '<w:instrText ',
  '<w:instrText> SEQ ',
]
const header = 'From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/html\n\n'
const opf =
  '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
const container = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'

/** A book of one chapter. */
const book = (chapter: string, members: Record<string, string> = {}) =>
  zipped({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'a.opf': opf,
    'a.xhtml': chapter,
    ...members,
  })

/** What `mupdf/read.js` writes of a page with one word. */
const onPage = (word: string) => {
  const size = { box: [50, 50, 500, 62], size: 12, font: 'A', colour: '#000000' }
  const lists = { rules: [], boxes: [], dots: [], figures: [], pictures: [], links: [], hidden: false }
  const page = { bounds: [0, 0, 600, 800], words: [{ ...size, text: word }], ...lists }
  return [{ pages: 1, outline: [], facts: {} }, page].map((line) => `${JSON.stringify(line)}\n`).join('')
}

const readers: readonly Reader[] = [
  { ...before('plain/write.ts', '--xhtml'), marks: markup },
  { ...before('plain/write.ts', '--complete'), marks: markup },
  { ...before('plain/write.ts', '--unnamed', '--title', 'T'), marks: markup },
  {
    ...before('plain/write.ts', '--jats'),
    marks: ['<fn-group>', '<fn-group ', '<fn id="a">', '<xref>', '<xref ', '<sup>', '<label>', '<body>', '<!--'],
  },
  {
    ...before('plain/write.ts', '--wiki'),
    marks: ['<nowiki>', '<pre ', '<math>', '<b>', '<b><i>', '<i></s', '<!--', "'"],
  },
  { ...before('tables/convert.ts', 'xml', 'json', 'n'), marks: [...xml, '<a b="', '<a>', '</a', '&', ' '] },
  {
    ...before('tables/convert.ts', 'xml', 'json', 'n'),
    ...text('<a ', '/>'),
    marks: ['"', 'a', 'a ', 'a=', 'a="', '='],
  },
  { ...before('tables/convert.ts', 'json', 'xml', 'n'), marks: ['[', '{', '{"a":', '"', '-', ' '] },
  {
    ...before('tables/convert.ts', 'yaml', 'json', 'n'),
    marks: ['"', "'", '|\n', '%a\n', '!!a ', 'a', 'a\n', '- a\n', '#'],
  },
  { ...before('tables/convert.ts', 'csv', 'json', 'n'), marks: ['"', '""', '",', '"a', 'a"', ',', '\n', '"\n', '\r'] },
  {
    ...before('tables/convert.ts', 'sheets', 'json', 'n'),
    ...text(table + cell),
    marks: [...xml, '<text:p>', '<text:p ', '<text:a xlink:href="', '<office:annotation>', '<dc:title>', '&', ' a="'],
  },
  { ...before('svg/plain.ts', 'mended'), ...drawing },
  { ...before('svg/browsed.ts', 'a'), ...drawing },
  { ...behind('svg/clean.ts', 'optimise'), ...drawing },
  { ...behind('svg/clean.ts', 'alone'), ...drawing },
  { ...behind('svg/clean.ts', 'outlined'), ...drawing },
  { ...behind('svg/split.ts', 'behind', 'emf'), ...drawing },
  { ...before('repack/write.ts', '--flow'), ...packed('word/document.xml'), marks: word },
  { ...before('repack/write.ts', '--flow'), file: charted, marks: ['<ser>', '<pt idx="1"', '<pt ', '<cxn '] },
  { ...before('repack/write.ts', '--flow'), ...packed('word/styles.xml', '', '</w:style>'), marks: styles },
  {
    ...before('repack/write.ts', '--flow'),
    ...packed('word/document.xml', '<w:tbl>', '<w:tr><w:tc><w:p></w:p></w:tc></w:tr></w:tbl>'),
    marks: ['<w:tblGrid>', '<w:tblGrid ', '<c:chart />', '<c:chart r:id="a"/>'],
  },
  { ...before('repack/write.ts', '--untitled'), ...packed('word/document.xml'), marks: word },
  {
    ...before('repack/write.ts', '--untitled'),
    ...packed('content.xml'),
    marks: ['<text:p', '<text:p ', '<text:title>'],
  },
  {
    ...before('repack/write.ts', '--bare'),
    ...packed('_rels/.rels'),
    marks: ['<Relationship', '<Relationship Type="'],
  },
  {
    ...before('meshes/read.ts'),
    ...packed('_rels/.rels'),
    marks: ['<Relationship ', '<Relationship /3dmodel"', '<Relationship Target="'],
  },
  { ...before('meshes/read.ts'), ...packed('3D/3dmodel.model', '<model>'), marks: [...xml, '<vertex ', '<object>'] },
  {
    ...behind('meshes/optimise.ts', 'stl'),
    ...text('solid a\n', '\nendsolid'),
    marks: ['facet normal ', 'facet ', 'facet normal 0 0 0 vertex ', 'vertex ', ' '],
  },
  {
    ...before('meshes/mend.ts'),
    ...text('<amf unit="inch">'),
    marks: ['<amf ', '<amf unit="', '<x>', '<deltax>', '<!--', '<'],
  },
  {
    ...before('slides/write.ts'),
    ...text('<office:presentation>'),
    marks: [
      ...xml,
      '<draw:page ',
      '<draw:image>',
      '<text:p>',
      '<text:a xlink:href="',
      '<office:binary-data>',
      '<text:list>',
    ],
  },
  {
    ...before('subtitle/tidy.ts', 'srt'),
    marks: ['<font ', '<font>', '<font color="', '<', '\n\n', '0', '00:', ':00 '],
  },
  {
    ...before('subtitle/tidy.ts', 'vtt'),
    ...text('WEBVTT\n\n00:00.000 --> 00:01.000\n'),
    marks: ['<v ', '<c.', '<00:', '0', '00:00.000 -->', '\n\n', 'NOTE'],
  },
  ...['docx', 'html', 'book'].map((format) => ({
    ...before('reflow/write.ts', format),
    file: onPage,
    marks: ['a', '-', 'a-', ' ', '<span class="reflow-footnote">', '.', '1'],
  })),
  { ...behind('mail/page.py'), ...text(header), marks: [...markup, 'cid:', '<embed ', '<link ', '<?xml '] },
  { ...behind('mail/page.py'), ...text(header.replace('html', 'plain')), marks: ['\n', ' \n', '\r\n \r', '<', 'a '] },
  ...['Contents/section0.xml', 'Contents/content.hpf'].map((member) => ({
    ...behind('hwp/page.py'),
    ...packed(member, '<s>'),
    marks: xml,
  })),
  { ...behind('web-archive/page.py'), ...text(header), marks: [...markup, 'a<!---->'] },
  {
    ...behind('web-archive/page.py'),
    ...text(`${header}<style>`, '</style>'),
    marks: ['url(', 'url("', 'url( ', '@import ', '@import url(', '@import "', '@import a;'],
  },
  {
    ...behind('epub/pack.py', '--clean', '--flat'),
    file: book,
    marks: [
      ...markup,
      '<svg ',
      '<svg><title>',
      '<image ',
      '<svg><image href="',
      '<pre ',
      '<code class="calibre',
      '<p ',
      '<p id="',
      '<ul id="',
      '<ul ',
      '<span>',
      '<span ',
      '<p dir="rtl">',
      '<p dir="rtl',
      '<html dir="rtl"><body>',
      ' href="',
      'url(',
      '<meta charset=',
      '<!DOCTYPE [] ',
      '@import "',
    ],
  },
  {
    ...behind('epub/pack.py', '--clean', '--flat'),
    file: (text) => book('<p>a</p>', { 'a.css': text }),
    marks: ['url(', 'url("', '@import "', '.a', '.a,', '.a{', '{', '}', '/*', ','],
  },
  {
    ...behind('epub/pack.py', '--clean', '--flat'),
    file: (text) => book('<p>a</p>', { 'a.opf': text }),
    marks: [...xml, '<item ', '<item id="', '<itemref>', '<package>'],
  },
  {
    ...behind('epub/pack.py', '--leaves'),
    file: (text) =>
      zipped({
        'EPUB/package.opf': opf.replace('<manifest>', '<meta name="fixed-layout" content="true"/><manifest>'),
        'EPUB/a.xhtml': `<html><head><meta name="viewport" content="width=${text}"/></head></html>`,
      }),
    marks: [' ', 'width', 'width=', 'width= ', '1', '1.'],
  },
  { ...fb2('<FictionBook>'), marks: [...xml, '<body>', '<body ', '<coverpage>', '<table>'] },
  { ...fb2('<FictionBook><body>', '</body>'), marks: ['<table>', '<p>', '<a ', '<a', '<b>', '<section ', '<title>'] },
  { ...fb2('<FictionBook><body><', '</body>'), marks: ['a', ':', 'a '] },
  { ...fb2('<FictionBook><body><table><image ', '/></table></body>'), marks: ['a', ':', 'href'] },
  { ...within('sheet_source', 'without_pivots(data)'), ...text('<Relationship '), marks: ['/pivotTable"', ' '] },
  {
    ...within('packages', 'UNCOUNTED.sub(counted, data)'),
    ...text('<c:strCache>'),
    marks: ['<c:strCache>', '<c:pt ', '<c:strCache><c:pt ', ' '],
  },
  {
    ...within('diagrams', "import types; worded(types.SimpleNamespace(read=lambda _: '<a/>', namelist=list), data)"),
    ...text('', '</w:p>'),
    marks: ['<a:relIds a:dm="a"/>', '<a:relIds ', '<a:relIds a:dm="'],
  },
]

/** How a program ends that has so much processor time. `signal` is null if it ends by itself. */
async function ending(command: readonly string[]): Promise<{ signal: string | null; said: string }> {
  const child = spawn('prlimit', [`--cpu=${MAX}`, '--', ...command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-500)
    })
  const [, signal] = await once(child, 'close')
  return { signal, said }
}

for (const { command, marks, file = (text: string) => text } of readers) {
  const words = command.slice(1).filter((part) => part !== input && part !== output)
  t.test(words.join(' ').replaceAll(`${programs}/`, ''), async (t) => {
    for (const mark of marks) {
      await writeFile(input, await file(mark.repeat(Math.floor(SIZE / mark.length))))
      const { signal, said } = await ending(command)
      t.equal(signal, null, JSON.stringify(mark), { said })
    }
  })
}
