import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { office, pandoc } from '../../fixtures/office.ts'
import { zip } from '../../fixtures/zip.ts'
import type { Specimen } from '../family.ts'

const deck = `# Lighthouse harbour

- barrels of salted herring
- candles and matches

# Provisions aboard

1. forty fathoms of rope
2. falling barometer

# Departure morning

Ωκεανός means ocean, мореплавание means seafaring.
`
const told = {
  slides: [
    'Lighthouse harbour barrels of salted herring candles and matches',
    'Provisions aboard forty fathoms of rope falling barometer',
    'Departure morning Ωκεανός means ocean, мореплавание means seafaring.',
  ],
  titles: ['Lighthouse harbour', 'Provisions aboard', 'Departure morning'],
}
/** Pandoc's slides are 10 by 5.625 inches. */
const deckTold = { ...told, size: [254, 142.875] }

/** LibreOffice writes its titles as text boxes. */
const wideTold = {
  slides: ['Harbour chart Open sea', 'Tide table Low at noon'],
  size: [280, 157.5],
}
const frame = (kind: string, y: number, text: string) =>
  `<draw:frame presentation:class="${kind}" svg:x="20mm" svg:y="${y}mm" svg:width="240mm" svg:height="40mm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
const slide = (name: string, title: string, text: string) =>
  `<draw:page draw:name="${name}" draw:master-page-name="M">${frame('title', 10, title)}${frame('outline', 70, text)}</draw:page>`
const wide = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="280mm" fo:page-height="157.5mm" fo:margin="0mm" style:print-orientation="landscape"/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/></office:master-styles>
<office:body><office:presentation>${slide('one', 'Harbour chart', 'Open sea')}${slide('two', 'Tide table', 'Low at noon')}</office:presentation></office:body></office:document>
`

const specimen = (name: string, maker: string, truth: object, make: Specimen['make']): Specimen => ({
  ...{ name, from: name.slice(name.indexOf('.') + 1), maker, features: Object.keys(truth), truth: { ...truth }, make },
})

async function pandocDeck(output: string, scratch: string): Promise<void> {
  const input = join(scratch, 'deck.md')
  await writeFile(input, deck)
  await pandoc(input, output, '-t', 'pptx')
}

const byPandoc = (format: string, type: string) =>
  specimen(`pandoc.${format}`, 'pandoc', deckTold, async (output, scratch) => {
    const input = join(scratch, 'deck.pptx')
    await pandocDeck(input, scratch)
    const members = readMembers(await readFile(input)).map(({ name, content }) => [
      name,
      name === '[Content_Types].xml'
        ? content
            .toString()
            .replace('application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml', type)
        : content,
    ])
    await zip(output, Object.fromEntries(members))
  })

/** Both shows by LibreOffice. */
const byLibreOffice = (format: string, filter: string) => [
  specimen(`office.${format}`, 'LibreOffice', deckTold, async (output, scratch) => {
    const input = join(scratch, 'deck.pptx')
    await pandocDeck(input, scratch)
    await office(input, output, scratch, `${format}:${filter}`)
  }),
  specimen(`wide.${format}`, 'LibreOffice', wideTold, async (output, scratch) => {
    const input = join(scratch, 'wide.fodp')
    await writeFile(input, wide)
    await office(input, output, scratch, `${format}:${filter}`)
  }),
]

const open = 'application/vnd.openxmlformats-officedocument.presentationml'
const macros = 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml'

/** Specimens of slides. */
export const slidesSpecimens: readonly Specimen[] = [
  byPandoc('pptx', `${open}.presentation.main+xml`),
  ...byLibreOffice('pptx', 'Impress MS PowerPoint 2007 XML'),
  byPandoc('pptm', macros),
  ...byLibreOffice('pptm', 'Impress MS PowerPoint 2007 XML VBA'),
  byPandoc('ppsx', `${open}.slideshow.main+xml`),
  ...byLibreOffice('ppsx', 'Impress MS PowerPoint 2007 XML AutoPlay'),
  byPandoc('potx', `${open}.template.main+xml`),
  ...byLibreOffice('potx', 'Impress MS PowerPoint 2007 XML Template'),
  ...byLibreOffice('ppt', 'MS PowerPoint 97'),
  ...byLibreOffice('pps', 'MS PowerPoint 97 AutoPlay'),
  ...byLibreOffice('odp', 'impress8'),
  ...byLibreOffice('fodp', 'OpenDocument Presentation Flat XML'),
  specimen('hand.fodp', 'hand', wideTold, async (output) => writeFile(output, wide)),
]
