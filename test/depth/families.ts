import type { Family } from './family.ts'
import { archiveFeatures } from './features/archive.ts'
import { documentFeatures } from './features/document.ts'
import { drawingFeatures } from './features/drawing.ts'
import { ebookFeatures } from './features/ebook.ts'
import { filmFeatures } from './features/film.ts'
import { modelFeatures } from './features/model.ts'
import { pictureFeatures } from './features/picture.ts'
import { sheetFeatures } from './features/sheet.ts'
import { slidesFeatures } from './features/slides.ts'
import { soundFeatures } from './features/sound.ts'
import { texts } from './features/words.ts'
import { archives } from './specimens/archive.ts'
import { documentSpecimens } from './specimens/document.ts'
import { drawings } from './specimens/drawing.ts'
import { books } from './specimens/ebook.ts'
import { films } from './specimens/film.ts'
import { modelSpecimens } from './specimens/model.ts'
import { pictures } from './specimens/picture.ts'
import { sheetSpecimens } from './specimens/sheet.ts'
import { slidesSpecimens } from './specimens/slides.ts'
import { sounds } from './specimens/sound.ts'

/** Every family that is proved in depth. */
export const families: readonly Family[] = [
  {
    name: 'picture',
    specimens: pictures,
    features: pictureFeatures,
    few: ['cr3', 'crw', 'jb2', 'pcd', 'raf', 'xcf'],
    canonical: (from) => [from === 'png' ? 'webp' : 'png', ...(['dng', 'raf'].includes(from) ? ['tif'] : [])],
    suits: ({ truth = {} }, to) => texts.includes(to) === 'words' in truth,
  },
  {
    name: 'model',
    specimens: modelSpecimens,
    features: modelFeatures,
    canonical: (from) => [from === 'stl' ? 'obj' : 'stl', 'glb', 'png'].filter((to) => to !== from),
    // It is flat: formats of bodies refuse it.
    suits: ({ name }, to) => !name.endsWith('-plate2d.scad') || to === 'png',
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
    // On paper, deleted text touches the new text, and a heading a text box. In HTML, a shape with text is a picture.
    suits: ({ name }, to) => !/-sample\.(odt>(pdf|html)|dotx>pdf)$/.test(`${name}>${to}`),
    canonical: (from) => ['docx', 'html', 'pdf', ...(from === 'docx' ? ['odt'] : [])].filter((to) => to !== from),
  },
  {
    name: 'slides',
    specimens: slidesSpecimens,
    features: slidesFeatures,
    few: ['odp', 'pps', 'ppt'],
    // Its text runs off the slides, and has a formula that LibreOffice leaves out.
    suits: ({ name }, to) => !/-rich\.(odp|pptx)>pdf$/.test(`${name}>${to}`),
    canonical: (from) => ['pdf', from === 'pptx' ? 'odp' : 'pptx'],
  },
  {
    name: 'sheet',
    specimens: sheetSpecimens,
    features: sheetFeatures,
    few: ['xlsb'],
    canonical: (from) => ['xlsx', 'ods', 'fods', 'xls', 'csv', 'json', 'html', 'md', 'pdf'].filter((to) => to !== from),
  },
  {
    name: 'film',
    specimens: films,
    features: filmFeatures,
    canonical: (from) => (from === 'mp4' ? ['mkv', 'mov', 'avi'] : ['mp4', from === 'mkv' ? 'webm' : 'mkv']),
    // They have no sound.
    suits: ({ name, truth = {}, maker }, to) =>
      !/-(((av1|hevc)-one-frame|rotation-header-only|sar-16-9|tiny)\.mp4>mp3)$/.test(`${name}>${to}`) &&
      (to !== 'mp3' || maker === 'real' || 'sound' in truth),
  },
  {
    name: 'sound',
    specimens: sounds,
    features: soundFeatures,
    canonical: (from) => [
      ...['mp3', 'flac'].filter((to) => to !== from),
      ...(from === 'flac' ? ['wav'] : []),
      ...(['mp3', 'm4b', 'mka'].includes(from) ? ['m4a'] : []),
    ],
  },
  {
    name: 'archive',
    specimens: archives,
    features: archiveFeatures,
    few: ['lha', 'rpm'],
    canonical: (from) => ['zip', 'tar.gz'].filter((to) => to !== from),
  },
  {
    name: 'ebook',
    specimens: books,
    features: ebookFeatures,
    few: ['cbr', 'chm', 'rb'],
    canonical: (from) =>
      from === 'cbz' ? ['pdf'] : from.startsWith('cb') ? ['cbz', 'pdf'] : ['epub', 'pdf'].filter((to) => to !== from),
  },
]
