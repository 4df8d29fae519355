import { drawings as vectors } from '../../plugins/formats/drawing.ts'
import { extensions } from '../../plugins/formats/family.ts'
import { films as movies } from '../../plugins/formats/film/films.ts'
import { data, markups, plainText, webPages } from '../../plugins/formats/markup/markups.ts'
import { meshes, plans, programs, solids } from '../../plugins/formats/model/models.ts'
import { diagrams } from '../../plugins/formats/office/diagrams.ts'
import { mails } from '../../plugins/formats/office/mails.ts'
import { sheets } from '../../plugins/formats/office/sheets.ts'
import { slides } from '../../plugins/formats/office/slides.ts'
import { texts as writings } from '../../plugins/formats/office/texts.ts'
import { cameraRaws } from '../../plugins/formats/raster/camera-raw.ts'
import { pictures as rasters } from '../../plugins/formats/raster/pictures.ts'
import { sounds as audio } from '../../plugins/formats/sound/sounds.ts'
import type { Family } from './family.ts'
import { documentFeatures } from './features/document.ts'
import { drawingFeatures } from './features/drawing.ts'
import { filmFeatures } from './features/film.ts'
import { modelFeatures } from './features/model.ts'
import { pictureFeatures } from './features/picture.ts'
import { sheetFeatures } from './features/sheet.ts'
import { slidesFeatures } from './features/slides.ts'
import { soundFeatures } from './features/sound.ts'
import { texts } from './features/words.ts'
import { documentSpecimens } from './specimens/document.ts'
import { drawings } from './specimens/drawing.ts'
import { films } from './specimens/film.ts'
import { modelSpecimens } from './specimens/model.ts'
import { pictures } from './specimens/picture.ts'
import { sheetSpecimens } from './specimens/sheet.ts'
import { slidesSpecimens } from './specimens/slides.ts'
import { sounds } from './specimens/sound.ts'

/** Every family that is proved in depth. What archives and books keep, the matrix compares. */
export const families: readonly Family[] = [
  {
    name: 'picture',
    specimens: pictures,
    features: pictureFeatures,
    formats: [...extensions(rasters, cameraRaws), 'djvu'],
    canonical: (from) => [from === 'png' ? 'webp' : 'png', ...(['dng', 'raf'].includes(from) ? ['tif'] : [])],
    suits: ({ truth = {} }, to) => texts.includes(to) === 'words' in truth,
  },
  {
    name: 'model',
    specimens: modelSpecimens,
    features: modelFeatures,
    formats: extensions(meshes, solids, programs),
    canonical: (from) => [from === 'stl' ? 'obj' : 'stl', 'glb'].filter((to) => to !== from),
    // It is flat: formats of bodies refuse it.
    suits: ({ name }) => !name.endsWith('-plate2d.scad'),
  },
  {
    name: 'drawing',
    specimens: drawings,
    features: drawingFeatures,
    formats: [...extensions(vectors, plans, diagrams), 'ps'],
    canonical: () => ['png', 'pdf', 'svg'],
  },
  {
    name: 'document',
    specimens: documentSpecimens,
    features: documentFeatures,
    formats: [...extensions(writings, plainText, webPages, markups, mails), 'pdf'],
    // On paper, deleted text touches the new text, and a heading a text box. In HTML, a shape with text is a picture.
    suits: ({ name }, to) => !/-sample\.(odt>(pdf|html)|dotx>pdf)$/.test(`${name}>${to}`),
    canonical: (from) => ['docx', 'html', 'pdf', ...(from === 'docx' ? ['odt'] : [])].filter((to) => to !== from),
  },
  {
    name: 'slides',
    specimens: slidesSpecimens,
    features: slidesFeatures,
    formats: extensions(slides),
    // Its text runs off the slides, and has a formula that LibreOffice leaves out.
    suits: ({ name }, to) => !/-rich\.(odp|pptx)>pdf$/.test(`${name}>${to}`),
    canonical: (from) => ['pdf', from === 'pptx' ? 'odp' : 'pptx'],
  },
  {
    name: 'sheet',
    specimens: sheetSpecimens,
    features: sheetFeatures,
    formats: extensions(sheets, data),
    canonical: (from) => ['xlsx', 'ods', 'fods', 'xls', 'csv', 'json', 'html', 'md', 'pdf'].filter((to) => to !== from),
  },
  {
    name: 'film',
    specimens: films,
    features: filmFeatures,
    formats: extensions(movies),
    canonical: (from) => (from === 'mp4' ? ['mkv', 'mov', 'avi'] : ['mp4', from === 'mkv' ? 'webm' : 'mkv']),
    // They have no sound.
    suits: ({ name, truth = {}, real }, to) =>
      !/-(((av1|hevc)-one-frame|rotation-header-only|sar-16-9|tiny)\.mp4>mp3)$/.test(`${name}>${to}`) &&
      (to !== 'mp3' || real || 'sound' in truth),
  },
  {
    name: 'sound',
    specimens: sounds,
    features: soundFeatures,
    formats: extensions(audio),
    canonical: (from) => [
      ...['mp3', 'flac'].filter((to) => to !== from),
      ...(from === 'flac' ? ['wav'] : []),
      ...(['mp3', 'm4b', 'mka'].includes(from) ? ['m4a'] : []),
    ],
  },
]
