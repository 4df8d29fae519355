/** The content of text documents: as Markdown for pandoc, as HTML for others, and what a reader must find. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { office, pandoc } from '../../fixtures/office.ts'
import { tidy } from '../readers/tree.ts'

export const title = 'Tidewater Ledger'
export const author = 'Marit Oldenburg'

const body = `# Lighthouse harbour

The keeper wrote *seventeen* letters before the **northern** gale arrived, and paid 273.879.750[^1] for [lamp oil](https://example.org/oil?a=1&b=2) and rope.

## Provisions aboard

- barrels of salted herring
- candles and matches

They did these things in this order:

1. hoist the signal lantern
2. measure the falling barometer

### Words of the sea

Ωκεανός means ocean, мореплавание means seafaring, and café naïve Übergröße are words.

| Vessel    | Tonnage | Captain  |
|-----------|---------|----------|
| Albatross | 04821   | Marigold |
| Cormorant | 1937.5  | Thaddeus |
| Dunlin    | -7650   | Ysolde   |

> Calm water never taught anybody steering.

## Departure morning

The tidal constant was the phrase that nobody remembered when they finally weighed anchor and left.
`
const note = 'Counted twice by the harbour master.'

/** With metadata and the note. */
export const markdown = `---\ntitle: ${title}\nauthor: ${author}\n---\n\n${body}\n[^1]: ${note}\n`

const words = tidy(body.replace(/\[\^1\]|\]\([^)]*\)|^\|-.*$|[#*>[|]|^- |^\d\. /gm, ' '))

/** What a reader finds in it. */
export const report = {
  words: { text: words, beside: `${note} ${title} ${author}` },
  headings: [
    [1, 'Lighthouse harbour'],
    [2, 'Provisions aboard'],
    [3, 'Words of the sea'],
    [2, 'Departure morning'],
  ],
  lists: [
    [false, 'barrels of salted herring'],
    [false, 'candles and matches'],
    [true, 'hoist the signal lantern'],
    [true, 'measure the falling barometer'],
  ],
  tables: [
    [
      ['Vessel', 'Tonnage', 'Captain'],
      ['Albatross', '04821', 'Marigold'],
      ['Cormorant', '1937.5', 'Thaddeus'],
      ['Dunlin', '-7650', 'Ysolde'],
    ],
  ],
  notes: [note],
  links: [['lamp oil', 'https://example.org/oil?a=1&b=2']],
  ...{ title, author, bold: ['northern'], italic: ['seventeen'] },
} as const

/** Millimetres of the page with a picture, and what a reader finds there. */
const sheet = [200, 140] as const
export const leaf = {
  words: {
    text: 'Harbour chart The beacon stands on a round hill. Beyond it lies the open sea.',
    beside: `${title} ${author}`,
  },
  headings: [[1, 'Harbour chart']],
  ...{ title, author, page: sheet, pictures: ['#cc2200 on glass'] },
} as const

/** A red disc on glass, 120 pixels each way. */
export const disc = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><circle cx="60" cy="60" r="50" fill="#c20"/></svg>',
    ),
  )
    .png()
    .toBuffer()

/** The page as flat OpenDocument, which LibreOffice turns into everything else. */
export const flatLeaf = async () => `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>${title}</dc:title><meta:initial-creator>${author}</meta:initial-creator><dc:creator>${author}</dc:creator></office:meta>
<office:styles><style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" style:default-outline-level="1"><style:text-properties fo:font-size="18pt" fo:font-weight="bold"/></style:style></office:styles>
<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties fo:page-width="${sheet[0]}mm" fo:page-height="${sheet[1]}mm" style:print-orientation="landscape" fo:margin="15mm"/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P"/></office:master-styles>
<office:body><office:text><text:h text:style-name="Heading_20_1" text:outline-level="1">Harbour chart</text:h><text:p>The beacon stands on a round hill.</text:p><text:p><draw:frame text:anchor-type="as-char" svg:width="32mm" svg:height="32mm"><draw:image><office:binary-data>${(await disc()).toString('base64')}</office:binary-data></draw:image></draw:frame></text:p><text:p>Beyond it lies the open sea.</text:p></office:text></office:body></office:document>
`

/** Writes the report as DOCX by pandoc, for other programs to read. */
export async function asDocx(scratch: string): Promise<string> {
  const [input, output] = [join(scratch, 'report.md'), join(scratch, 'report.docx')]
  await writeFile(input, markdown)
  await pandoc(input, output)
  return output
}

/** Writes the page with a picture by LibreOffice. */
export async function leafBy(output: string, scratch: string, filter: string): Promise<void> {
  const input = join(scratch, 'leaf.fodt')
  await writeFile(input, await flatLeaf())
  await office(input, output, scratch, filter)
}

/** The report as a page by pandoc. */
export async function asHtml(scratch: string): Promise<string> {
  const [input, output] = [join(scratch, 'report.md'), join(scratch, 'report.html')]
  await writeFile(input, markdown)
  await pandoc(input, output)
  return readFile(output, 'utf8')
}
