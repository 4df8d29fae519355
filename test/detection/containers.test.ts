import t from 'tap'
import { join, latin, noise, ole, peek, u16, u32, zip } from './build.ts'
import { detect } from './detection.ts'

const ODF = 'application/vnd.oasis.opendocument.'
const OOXML = 'application/vnd.openxmlformats-officedocument.'
const types = (type: string) => `<?xml version="1.0"?><Types><Override PartName="/x" ContentType="${type}"/></Types>`
const office = (type: string, part: string) => ({
  'docProps/app.xml': '<x/>',
  [part]: '<x/>',
  '[Content_Types].xml': types(type),
})
const pages = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`pages/${i}.jpg`, 'x']))

/** Expected format, name, members. */
const ZIPS: [format: string, name: string, files: Record<string, string>][] = [
  ['docx', '', office(`${OOXML}wordprocessingml.document.main+xml`, 'word/document.xml')],
  ['docx', 'a.zip', office(`${OOXML}wordprocessingml.document.main+xml`, 'word/document2.xml')],
  ['dotx', '', office(`${OOXML}wordprocessingml.template.main+xml`, 'word/document.xml')],
  ['docm', '', office('application/vnd.ms-word.document.macroEnabled.main+xml', 'word/document.xml')],
  ['xlsx', '', office(`${OOXML}spreadsheetml.sheet.main+xml`, 'xl/workbook.xml')],
  ['xlsm', '', office('application/vnd.ms-excel.sheet.macroEnabled.main+xml', 'xl/workbook.xml')],
  ['xlsb', '', office('application/vnd.ms-excel.sheet.binary.macroEnabled.main', 'xl/workbook.bin')],
  ['pptx', '', office(`${OOXML}presentationml.presentation.main+xml`, 'ppt/presentation.xml')],
  ['ppsx', '', office(`${OOXML}presentationml.slideshow.main+xml`, 'ppt/presentation.xml')],
  ['potx', '', office(`${OOXML}presentationml.template.main+xml`, 'ppt/presentation.xml')],
  ['pptm', '', office('application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml', 'ppt/presentation.xml')],
  ['vsdx', '', office('application/vnd.ms-visio.drawing.main+xml', 'visio/document.xml')],
  ['docx', '', { 'word\\document.xml': '<x/>' }],
  ['3mf', '', { '3D/3dmodel.model': '<model/>' }],
  ['xps', '', { 'FixedDocSeq.fdseq': '<x/>' }],
  ['odt', '', { mimetype: `${ODF}text`, 'content.xml': '<x/>' }],
  [
    'odt',
    '',
    {
      'content.xml': '<x/>',
      'META-INF/manifest.xml': `<manifest:file-entry manifest:full-path="/" manifest:media-type="${ODF}text"/>`,
    },
  ],
  [
    'sxw',
    'a.sxw',
    {
      'content.xml': '<x/>',
      'META-INF/manifest.xml': '<m:file-entry m:media-type="application/vnd.sun.xml.writer" m:full-path="/"/>',
    },
  ],
  ['odt', '', { 'content.xml': '<x/>', mimetype: `${ODF}text\n` }],
  ['ott', '', { mimetype: `${ODF}text-template` }],
  ['ods', '', { mimetype: `${ODF}spreadsheet` }],
  ['odp', '', { mimetype: `${ODF}presentation` }],
  ['odg', '', { mimetype: `${ODF}graphics` }],
  ['sxw', '', { mimetype: 'application/vnd.sun.xml.writer' }],
  ['hwp', 'a.hwpx', { mimetype: 'application/hwp+zip', 'Contents/section0.xml': '<x/>' }],
  ['epub', '', { mimetype: 'application/epub+zip', 'META-INF/container.xml': '<x/>' }],
  ['epub', '', { 'META-INF/container.xml': '<x/>', 'OEBPS/content.opf': '<x/>' }],
  ['fcstd', '', { 'Document.xml': '<x/>', 'GuiDocument.xml': '<x/>' }],
  ['htmlz', '', { 'metadata.opf': '<x/>', 'index.html': '<x/>' }],
  ['txtz', '', { 'metadata.opf': '<x/>', 'index.txt': 'x' }],
  ['pmlz', '', { 'index.pml': 'x' }],
  ['epub', 'a.epub', { 'x\\book.opf': '<x/>' }],
  ['cbz', 'a.cbz', pages],
  ['cbz', 'a.cbr', pages],
  ['cbz', '', { 'ComicInfo.xml': '<x/>', ...pages }],
  ['zip', 'a.zip', pages],
  ['zip', 'a.cbz', { 'a.exe': 'x' }],
  ['jar', '', { 'META-INF/MANIFEST.MF': 'x', 'a/B.class': 'x' }],
  ['zip', 'a.apk', { 'META-INF/MANIFEST.MF': 'x', 'AndroidManifest.xml': 'x', 'classes.dex': 'x' }],
  ['zip', 'a.xpi', { 'META-INF/manifest.mf': 'x', 'manifest.json': '{}' }],
  ['zip', 'a.docx', { 'notes.txt': 'hello' }],
  ['zip', '', { 'my report.pages': 'a file of that name among others', 'a.txt': 'x' }],
]

t.test('comics in other archives: by name, or by a member that describes them', async (t) => {
  const rar = (more = '') => join(`Rar!\x1a\x07\x01\0${more}`, Buffer.alloc(64))
  for (const name of ['a.cbr', 'a.cbz']) t.same(await detect(peek(rar()), name), { extension: 'cbr' }, name)
  t.same(await detect(peek(rar('ComicInfo.xml')), ''), { extension: 'cbr' })
  t.same(await detect(peek(rar()), 'a.rar'), { extension: 'rar' })
  const seven = join('7z\xbc\xaf\x27\x1c', Buffer.alloc(64))
  t.same(await detect(peek(seven), 'a.cb7'), { extension: 'cb7' })
  t.same(await detect(peek(seven), 'a.bin'), { extension: '7z' })
})

t.test('the members of a zip identify the format: stored, deflated, without a directory, after junk', async (t) => {
  for (const [format, name, files] of ZIPS) {
    const label = `${format} as "${name}" of ${Object.keys(files).slice(0, 2)}`
    t.same(await detect(peek(zip(files)), name), { extension: format }, label)
    t.same(await detect(peek(zip(files, { deflate: true })), name), { extension: format }, `${label}, deflated`)
    t.same(await detect(peek(zip(files, { directory: false })), name), { extension: format }, `${label}, cut off`)
  }
  t.same(await detect(peek(join('PK\x05\x06', Buffer.alloc(18))), 'empty.zip'), { extension: 'zip' })
  t.same(await detect(peek(zip({ 'a.txt': 'x' }, { flags: 1 })), ''), { extension: 'zip' }, 'encrypted')
})

t.test('a zip behind other bytes is a zip, if it ends with its directory', async (t) => {
  const inside = zip({ 'a.txt': 'x', 'b.txt': 'y' })
  for (const before of ['\n', 'HTTP/1.1 200 OK\r\n\r\n', '#!/bin/sh\nexec unzip "$0"\n', 'MZ\x90\0', '\x7fELF\x02\x01'])
    for (const more of [0, 90_000])
      for (const name of ['', 'a.zip', 'a.exe', 'a.sh'])
        t.same(
          await detect(peek(join(before, noise(more), inside)), name),
          { extension: 'zip' },
          `${before} and ${more} bytes as "${name}"`,
        )
  const directory = inside.subarray(inside.indexOf('PK\x01\x02'))
  t.equal(await detect(peek(join(noise(300), directory)), ''), undefined, 'a directory without files')
})

t.test('the streams of a compound file identify the format', async (t) => {
  const cases: [format: string, name: string, streams: string[]][] = [
    ['doc', '', ['WordDocument', '1Table']],
    ['dot', 'a.dot', ['WordDocument']],
    ['doc', 'a.xls', ['1Table', 'WordDocument', '\x05SummaryInformation', 'ObjectPool', 'Data']],
    ['xls', '', ['Workbook']],
    ['xls', '', ['Book']],
    ['xls', '', ['WORKBOOK', '\x05SummaryInformation']],
    ['doc', '', ['WORDDOCUMENT', '1TABLE']],
    ['ppt', '', ['PowerPoint Document', 'Current User']],
    ['pps', 'a.pps', ['PowerPoint Document']],
    ['msg', '', ['__properties_version1.0']],
    ['vsd', '', ['VisioDocument']],
    ['pub', '', ['Contents', 'Quill']],
    ['hwp', '', ['FileHeader', 'BodyText', 'DocInfo']],
    ['wps', '', ['MatOST', 'CONTENTS']],
    ['wpd', '', ['PerfectOffice_MAIN']],
    ['xlsx', 'secret.xlsx', ['EncryptedPackage', 'EncryptionInfo']],
    ['docx', '', ['EncryptedPackage', 'EncryptionInfo']],
  ]
  for (const [format, name, streams] of cases)
    t.same(await detect(peek(ole(streams)), name), { extension: format }, `${format} as "${name}"`)
  t.same(
    await detect(peek(ole(['WordDocument'], { embedded: ['Workbook', 'VisioDocument'] })), ''),
    { extension: 'doc' },
    'embedded objects do not count',
  )
  t.match(await detect(peek(ole(['Catalog'])), 'Thumbs.db'), { refused: String })
})

t.test('iWork is refused by content and by name', async (t) => {
  const packages: Record<string, string>[] = [
    { 'Index/Document.iwa': 'x', 'Metadata/Properties.plist': 'x' },
    { 'Index.zip': 'x', 'Metadata/Properties.plist': 'x', 'preview.jpg': 'x' },
    { 'index.apxl': '<x/>' },
    { 'Index.zip': 'x', '.iwph': 'x' },
    { 'index.xml': '<sl:document xmlns:sl="http://developer.apple.com/namespaces/sl"/>' },
    { 'index.xml.gz': 'x', 'buildVersionHistory.plist': 'x' },
    { 'Letter.pages/': '', 'Letter.pages/Index.zip': 'x', 'Letter.pages/preview.jpg': 'x' },
    { 'Letter.pages/Index/Document.iwa': 'x' },
    { 'Letter/': '', 'Letter/Index/Document.iwa': 'x', '__MACOSX/Letter/._Index': 'x' },
  ]
  for (const files of packages) {
    for (const name of ['', 'a.zip', 'a.docx', 'a.pages']) {
      for (const options of [{}, { deflate: true }, { directory: false }]) {
        t.match(
          await detect(peek(zip(files, options)), name),
          { refused: /iWork/ },
          `${Object.keys(files)} as "${name}"`,
        )
      }
    }
  }
  for (const name of ['a.pages', 'a.NUMBERS', 'b.c.Key', 'folder/a.key', 'a.key ']) {
    t.match(await detect(peek('\x89PNG\r\n\x1a\n'), name), { refused: /iWork/ }, name)
  }
  t.same(
    await detect(peek(zip({ 'index.xml': '<catalogue/>', 'a.txt': 'x' })), ''),
    { extension: 'zip' },
    'another index.xml',
  )
})

t.test('programs, fonts and databases are refused under every name', async (t) => {
  const wavPack3 = join('wvpk', u32(700), u16(3), u16(0), noise(700))
  const refused: [reason: RegExp, bytes: Buffer][] = [
    [/programs/, join('MZ\x90\0\x03\0\0\0', Buffer.alloc(100))],
    [/programs/, join('\x7fELF\x02\x01\x01\0', Buffer.alloc(100))],
    [/programs/, join('\xcf\xfa\xed\xfe', Buffer.alloc(100))],
    [/programs/, join('\xca\xfe\xba\xbe\0\0\0\x34', Buffer.alloc(100))],
    [/programs/, join('\0asm\x01\0\0\0', Buffer.alloc(20))],
    [/programs/, join('MZ', noise(300), zip({ 'a.txt': 'x' }).subarray(0, -22))],
    [/programs/, ole(['\u4840\u3f3f\u4577'])],
    [/fonts/, join('\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40DSIG', Buffer.alloc(100))],
    [/fonts/, join('OTTO\0\x0b', Buffer.alloc(100))],
    [/fonts/, join('wOFF\0\x01\0\0', Buffer.alloc(100))],
    [/fonts/, join('wOF2\0\x01\0\0', Buffer.alloc(100))],
    [/fonts/, join('ttcf\0\x01\0\0', Buffer.alloc(100))],
    [/fonts/, join('\x80\x01', u32(400), '%!PS-AdobeFont-1.0: X', Buffer.alloc(100))],
    [/fonts/, latin('%!PS-AdobeFont-1.0: Utopia\n')],
    [/VRML/, latin('#VRML V2.0 utf8\nShape { geometry Box { } }\n')],
    [/SQLite/, join('SQLite format 3\0', u16(16), Buffer.alloc(100))],
    [/Musepack.*FLAC/, join('MPCK', Buffer.alloc(100))],
    [/TAK.*FLAC/, join('tBaK', Buffer.alloc(100))],
    [/OptimFROG.*FLAC/, join('OFR ', u32(12), Buffer.alloc(100))],
    [/big-endian WAV/, join('RIFX', Buffer.alloc(4), 'WAVEfmt ', Buffer.alloc(100))],
    [/Wave64/, join('riff\x2e\x91\xcf\x11', Buffer.alloc(100))],
    [/Audible/, join(u32(100), '\x57\x90\x75\x36', Buffer.alloc(100))],
    [/tracker/, join(noise(1080), 'M.K.', Buffer.alloc(100))],
    [/tracker/, join('Song', Buffer.alloc(40), 'SCRM', Buffer.alloc(100))],
    [/StuffIt/, join('SIT!\0\x01\0\0\0\0rLau', Buffer.alloc(100))],
    [/Snappy/, join('\xff\x06\0\0sNaPpY', Buffer.alloc(100))],
    [/dump/, join(u32(1), Buffer.alloc(20), u32(60_012), Buffer.alloc(100))],
    [/DjVu document in several/, join('AT&TFORM', Buffer.alloc(4), 'DJVMDIRM', u32(60), '\x01', Buffer.alloc(100))],
    [/DjVu document in several/, join('AT&TFORM', u32(99), 'DJVUINFO', u32(10), noise(10), 'INCL', Buffer.alloc(100))],
    [/last part of a zip/, join(noise(100), 'PK\x05\x06', u16(2), Buffer.alloc(16))],
    [/WavPack 3.*FLAC/, join('RIFF', u32(200), 'WAVEfmt ', u32(16), noise(16), 'data', u32(900), wavPack3)],
  ]
  for (const [reason, bytes] of refused) {
    for (const name of ['', 'a.txt', 'a.png', 'a.zip', 'a.mp3', 'a.tga', 'a.docx', 'a.ps']) {
      t.match(await detect(peek(bytes), name), { refused: reason }, `${reason} as "${name}"`)
    }
  }
})
