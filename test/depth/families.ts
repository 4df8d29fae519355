import type { Family } from './family.ts'
import { pictureFeatures } from './features/picture.ts'
import { texts } from './features/words.ts'
import { pictures } from './specimens/picture.ts'

/** Every family that is proved in depth. */
export const families: readonly Family[] = [
  {
    name: 'picture',
    specimens: pictures,
    features: pictureFeatures,
    canonical: (from) => [from === 'png' ? 'webp' : 'png'],
    suits: ({ truth = {} }, to) => texts.includes(to) === 'words' in truth,
  },
]
