import { document } from '../../fixtures/document.ts'
import { slides } from '../../fixtures/story.ts'
import type { Specimen } from '../family.ts'
import { inFile, specimen } from '../saved.ts'

const told = {
  slides: slides.map(({ title, points }) => [title, ...points].join(' ')),
  titles: slides.map(({ title }) => title),
  /** Pandoc's slides are 10 by 5.625 inches. */
  size: [254, 142.875],
}

/** Specimens of slides. */
export const slidesSpecimens: readonly Specimen[] = [
  specimen('pandoc.pptx', document.pptx!.make, told),
  specimen('office.ppt', document.ppt!.make, told),
  inFile('slides', 'hand.fodp', { slides: ['Harbour chart Open sea', 'Tide table Low at noon'], size: [280, 157.5] }),
]
