import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { office, pandoc } from '../../fixtures/office.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile, saved } from '../saved.ts'
import { retype } from './retype.ts'

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

const specimen = (name: string, maker: string, truth: object, make: Specimen['make']): Specimen => ({
  name,
  from: formatOf(name),
  maker,
  features: Object.keys(truth),
  truth: { ...truth },
  make,
})

async function pandocDeck(scratch: string): Promise<string> {
  const input = join(scratch, 'deck.md')
  const output = join(scratch, 'deck.pptx')
  await writeFile(input, deck)
  await pandoc(input, output)
  return output
}

const byPandoc = (format: string, type: string) =>
  specimen(`pandoc.${format}`, 'pandoc', deckTold, async (output, scratch) => {
    await retype(await pandocDeck(scratch), output, `${open}.presentation.main+xml`, type)
  })

/** Both shows by LibreOffice. */
const byLibreOffice = (format: string, filter: string) => [
  specimen(`office.${format}`, 'LibreOffice', deckTold, async (output, scratch) =>
    office(await pandocDeck(scratch), output, scratch, `${format}:${filter}`),
  ),
  specimen(`wide.${format}`, 'LibreOffice', wideTold, (output, scratch) =>
    office(saved('slides/hand.fodp'), output, scratch, `${format}:${filter}`),
  ),
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
  inFile('slides', 'hand.fodp', wideTold),
]
