import type { Family } from './family.ts'
import { documentFeatures } from './features/document.ts'
import { drawingFeatures } from './features/drawing.ts'
import { modelFeatures } from './features/model.ts'
import { pictureFeatures } from './features/picture.ts'
import { slidesFeatures } from './features/slides.ts'
import { texts } from './features/words.ts'
import { documentSpecimens } from './specimens/document.ts'
import { drawings } from './specimens/drawing.ts'
import { modelSpecimens } from './specimens/model.ts'
import { pictures } from './specimens/picture.ts'
import { slidesSpecimens } from './specimens/slides.ts'

/** Every family that is proved in depth. */
export const families: readonly Family[] = [
  {
    name: 'picture',
    specimens: pictures,
    features: pictureFeatures,
    canonical: (from) => [from === 'png' ? 'webp' : 'png'],
    suits: ({ truth = {} }, to) => texts.includes(to) === 'words' in truth,
  },
  {
    name: 'model',
    specimens: modelSpecimens,
    features: modelFeatures,
    canonical: (from) => [from === 'stl' ? 'obj' : 'stl', 'glb', 'png'].filter((to) => to !== from),
  },
  {
    name: 'drawing',
    specimens: drawings,
    features: drawingFeatures,
    few: ['cdr', 'dwg', 'vsd', 'vsdx'],
    canonical: () => ['png', 'pdf', 'svg'],
  },
  {
    name: 'document',
    specimens: documentSpecimens,
    features: documentFeatures,
    few: ['dot', 'eml', 'jats.xml', 'mht', 'opml'],
    canonical: (from) => ['docx', 'html', 'pdf', ...(from === 'docx' ? ['odt'] : [])].filter((to) => to !== from),
  },
  {
    name: 'slides',
    specimens: slidesSpecimens,
    features: slidesFeatures,
    few: ['odp', 'pps', 'ppt'],
    canonical: (from) => ['pdf', from === 'pptx' ? 'odp' : 'pptx'],
  },
]
