import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { office, pandoc } from '../../fixtures/office.ts'
import type { Specimen } from '../family.ts'
import { inFile, specimen } from '../saved.ts'

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
  /** Pandoc's slides are 10 by 5.625 inches. */
  size: [254, 142.875],
}

async function byPandoc(output: string, scratch: string): Promise<void> {
  await writeFile(join(scratch, 'deck.md'), deck)
  await pandoc(join(scratch, 'deck.md'), output)
}

async function byLibreOffice(output: string, scratch: string): Promise<void> {
  await byPandoc(join(scratch, 'deck.pptx'), scratch)
  await office(join(scratch, 'deck.pptx'), output, scratch, 'ppt:MS PowerPoint 97')
}

/** Specimens of slides. */
export const slidesSpecimens: readonly Specimen[] = [
  specimen('pandoc.pptx', byPandoc, told),
  specimen('office.ppt', byLibreOffice, told),
  inFile('slides', 'hand.fodp', { slides: ['Harbour chart Open sea', 'Tide table Low at noon'], size: [280, 157.5] }),
]
