import t from 'tap'
import { join, latin, noise, peek } from './build.ts'
import { detect } from './detection.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const prose = 'It was a dark and stormy night; the rain fell in torrents.\nExcept at times, when it was checked.\n'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'
const rows = (separator: string) =>
  ['name', 'anna', 'ben', 'carl'].map((name) => [name, 'x y', '"3,4"', '5'].join(separator)).join('\r\n')

/** Expected format, name, text. */
const SAMPLES: [format: string, name: string, text: string | Buffer][] = [
  ['txt', '', prose],
  ['txt', 'notes.xyz', prose],
  ['txt', 'photo.png', prose],
  ['txt', 'a.txt', 'a'],
  ['txt', 'a.log', '\x1b[31mERROR\x1b[0m disk is full\n'],
  ['txt', 'russian.txt', Buffer.from('cff0e8e2e5f22c20ece8f02120caeae020e4e5ebe03f20cdeef0ece0ebfcedee2e', 'hex')],
  [
    'txt',
    'japanese.txt',
    Buffer.from(
      '93fa967b8cea82cc83658358836782c582b7814281402048656c6c6f20776f726c6420686f772061726520796f750d0a'.repeat(4),
      'hex',
    ),
  ],
  ['txt', '', join('\xef\xbb\xbf', prose)],
  ['txt', '', join('\xff\xfe', utf16('A text of Windows: äöü €, кот\r\n'))],
  ['txt', '', utf16('A text without a mark at its start\r\n')],
  ['txt', 'a.txt', join('\xfe\xff', utf16('big-endian text').swap16())],
  ['txt', '', 'MZ is how a program begins, and this is a text\n'],
  ['txt', '', 'RIFFRAFF and other words of that kind\n'],
  ['txt', '', 'FORMULA ONE RACES and ID3 tags\n'],
  ['txt', '', 'ID3 tags are explained in this text\n'],
  ['txt', 'a.txt', 'The header %PDF-1.4 begins a document\n'],
  ['txt', 'a.c', 'int a;\nint b;\nint c;\nint d;\n'],
  ['txt', '', 'Dear Anna,\nthank you, as ever\nyours, Ben\nbye, then\n'],
  ['txt', 'a.txt', 'a text that is padded with zeros\n\0\0\0'],
  ['miff', '', `id=ImageMagick  version=1.0\nclass=DirectClass\n\f\n:\x1a${prose}`],
  ['xpm', '', '/* A picture */\n/* XPM */\nstatic char *a[] = {\n"1 1 1 1",\n"a c red",\n"a"};\n'],
  ['xpm', '', '/*XPM*/\nstatic char *a[] = {\n"1 1 1 1",\n"a c red",\n"a"};\n'],
  ['off', '', '# A model\n\nOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'],
  ['step', '', '/* A part */\nISO-10303-21;\nHEADER;\nENDSEC;\n'],
  ['csv', 'a.csv', 'one column\n1\n2\n'],
  ['csv', '', rows(',')],
  ['csv', '', rows(';')],
  ['csv', 'a.csv', Buffer.from(join('\xff\xfe', utf16(rows('\t'))))],
  ['csv', 'a.csv', latin('K\xf6ln;M\xfcnchen;Gr\xfc\xdfe aus den St\xe4dten\r\n1;2;3\r\n')],
  ['tsv', '', rows('\t')],
  ['tsv', 'a.tab', rows('\t')],
  ['yaml', 'a.yml', 'key: value\n'],
  ['yaml', '', '---\nname: demo\nitems:\n  - one\n  - two\nport: 80\n'],
  ['md', 'README.markdown', prose],
  ['md', 'README.md', '<h1 align="center">Project</h1>\n\nText with **weight**.\n'],
  ['md', '', '# Title\n\nSee [here](https://example.org) for **more**.\n\n- one\n- two\n'],
  ['rst', '', 'Title\n=====\n\n.. note::\n\n   See :ref:`other` and ::\n'],
  ['org', '', '#+TITLE: Plan\n* TODO First\n:PROPERTIES:\n:END:\n[[https://example.org][link]]\n'],
  ['adoc', '', '= Title\n:toc: left\n\n[source,ruby]\n----\nputs 1\n----\n'],
  ['textile', '', 'h1. Title\n\nbq. Quoted.\n\n"link":https://example.org\n\n|_. a |_. b |\n'],
  ['wiki', '', "== History ==\n'''Bold''' and [[Link]] and {{cite}}\n{| class=x\n|}\n"],
  ['tex', '', '\\documentclass{article}\n\\usepackage{x}\n\\begin{document}\nHi\n\\end{document}\n'],
  [
    'tex',
    '',
    '% a comment first\n\\documentclass{article}\n\\title{X}\n\\begin{document}\n\\section{Y}\n\\end{document}\n',
  ],
  ['eml', '', `From: a\nTo: b\nReceived: from a by b\n${`X-${'n'.repeat(70)}: v\n`.repeat(90)}Subject: Hi\n\nText\n`],
  ['eml', 'a.eml', 'From: a\nTo: b\nSubject: Hi\nX-Report: 1\nwhat belongs to it\n\nText\n'],
  ['eml', '', 'Received: from a by b\r\nFrom: a@example.org\r\nTo: b@example.org\r\nSubject: Hi\r\n\r\nText\r\n'],
  [
    'mht',
    '',
    'From: <Saved by Blink>\r\nSubject: Hi\r\nDate: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="b"\r\n\r\n--b\r\n',
  ],
  ['mht', '', 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n'],
  ['mht', 'a.mhtml', 'MIME-Version: 1.0\nContent-Type: text/html\nContent-Location: http://a.example/\n\n<p>Hi</p>'],
  [
    'eml',
    '',
    'From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n',
  ],
  ['rtf', 'a.doc', '{\\rtf1\\ansi Hello}'],

  ['html', '', '<!DOCTYPE html>\n<html><body>Hi</body></html>'],
  ['html', 'page.htm', '<p>A part of a page</p>\n<p>another'],
  ['html', '', '\ufeff\n<!-- saved -->\n<HTML><HEAD></HEAD></HTML>'],
  ['html', '', '<html xmlns="http://www.w3.org/1999/xhtml"><head/><body/></html>'],
  ['xhtml', '', '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head/><body/></html>'],
  ['svg', '', SVG],
  [
    'svg',
    '',
    `<?xml version="1.0" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd" [\n<!ENTITY ns "http://www.w3.org/2000/svg">\n<!-- ] > " -->\n]>\n<!-- Generator: any -->\n<svg xmlns="&ns;"/>`,
  ],
  ['svg', 'logo.png', `<!-- first -->\n<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`],
  ['txt', 'a.txt', latin('\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd')],
  ['html', 'a.html', latin(`<html><body>${'\xc3\xcb\xa1\xa2'.repeat(9)}</body></html>`)],
  ['svg', '', join('\xff\xfe', utf16(`<?xml version="1.0" encoding="UTF-16"?>${SVG}`))],
  [
    'fb2',
    '',
    '<?xml version="1.0" encoding="windows-1251"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"/>',
  ],
  ['xls', 'a.xml', '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'],
  ['doc', '', '<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>'],
  ['xls', 'a.xls', '<html><body><table><tr><td>1</td></tr></table></body></html>'],
  ['xls', 'a.xls', '<table border="1"><tr><td>1</td></tr></table>'],
  ['html', 'a.xls', '<html><body><p>no sheet</p></body></html>'],
  ['dae', '', '<?xml version="1.0"?><COLLADA version="1.4.1"/>'],
  ['x3d', '', '<?xml version="1.0"?><!DOCTYPE X3D PUBLIC "a" "b"><X3D/>'],
  ['amf', '', '<?xml version="1.0"?><amf unit="millimeter"/>'],
  ['opml', '', '<?xml version="1.0"?><opml version="2.0"/>'],
  ['dbk', '', '<article xmlns="http://docbook.org/ns/docbook" version="5.0"/>'],
  ['dbk', '', '<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "d.dtd"><book/>'],
  ['fodt', '', '<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text"/>'],
  [
    'fods',
    '',
    '<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet"/>',
  ],
  ['xml', '', '<?xml version="1.0"?><anything/>'],
  ['xml', '', '<note>\n<to>Tove</to>\n</note>\n'],
  ['json', '', '{"a": [1, 2, {"b": null}]}'],
  ['json', '', '[1, 2, 3]'],
  ['json', '', `{"long": [${'"word", '.repeat(20_000)}1]}`],
  ['txt', 'a.json', 'this is not json'],
  ['ipynb', '', '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'],
  ['ipynb', 'a.json', `{"cells": [{"data": "${'A'.repeat(100_000)}"}], "metadata": {}, "nbformat": 4}`],
  ['gltf', '', '{"asset": {"version": "2.0"}, "scenes": []}'],

  ['eps', '', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n'],
  ['ps', '', '%!PS-Adobe-3.0\nshowpage\n'],
  ['ps', '', '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=POSTSCRIPT\r\n%!PS-Adobe-3.0\nshowpage\n'],
  ['ps', '', '\x04%!PS\nshowpage\n'],
  ['ai', 'logo.ai', '%!PS-Adobe-3.0 EPSF-3.0\n%%Creator: Adobe Illustrator\n'],
  ['pdf', '', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n%%EOF\n'],
  ['fig', '', '#FIG 3.2  Produced by xfig\n'],
  ['xpm', '', '/* XPM */\nstatic char *x[] = {\n'],
  ['xbm', '', '/* made */\n#define x_width 16\n#define x_height 2\nstatic char x_bits[] = {0};\n'],
  ['dxf', '', '  0\r\nSECTION\r\n  2\r\nHEADER\r\n'],
  ['dxf', '', '999\nmade by hand\n0\nSECTION\n2\nENTITIES\n'],
  ['step', '', "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\n"],
  ['ifc', '', "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC2X3'));\n"],
  ['iges', '', `${'made by hand'.padEnd(72)}S      1\n${'1H,,1H;,'.padEnd(72)}G      1\n`],
  ['brep', '', '\nCASCADE Topology V1, (c) Matra-Datavision\n'],
  ['stl', '', 'solid cube\n facet normal 0 0 1\n  outer loop\n'],
  ['obj', '', '# cube\nmtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n'],
  ['ply', '', 'ply\nformat ascii 1.0\n'],
  ['off', '', 'OFF\n8 6 12\n'],
  ['x', '', 'xof 0303txt 0032\n'],
  ['ac', '', 'AC3Db\nMATERIAL "x"\n'],
  ['ase', '', '*3DSMAX_ASCIIEXPORT 200\n'],
  ['fbx', '', '; FBX 7.3.0 project file\n'],
  ['scad', 'part.scad', 'cube([1,2,3]);\n'],
]

t.test('texts are detected in every encoding', async (t) => {
  for (const [format, name, text] of SAMPLES) {
    t.same(
      await detect(peek(text), name),
      { extension: format },
      `${format} as "${name}": ${JSON.stringify(text.toString().slice(0, 40))}`,
    )
  }
})

t.test('binary data is never detected as text', async (t) => {
  for (const name of ['a.txt', 'a.csv', 'a.md', 'a.png', 'a.xyz', '']) {
    for (const length of [16, 64, 1000, 100_000])
      t.equal(await detect(peek(noise(length, length)), name), undefined, `noise of ${length} as "${name}"`)
    for (const length of [1, 512, 100_000])
      t.equal(await detect(peek(Buffer.alloc(length)), name), undefined, `zeros of ${length} as "${name}"`)
    t.equal(await detect(peek(''), name), undefined, 'nothing')
  }
})
