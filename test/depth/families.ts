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

const list = (formats: string) => formats.split(/\s+/)

/** Every family that is proved in depth. What archives and books keep, the matrix compares. */
export const families: readonly Family[] = [
  {
    name: 'picture',
    specimens: pictures,
    features: pictureFeatures,
    formats: list(`jpg png webp avif heic gif bmp tif ico cur icns jxl jp2 qoi apng psd tga dds miff pcx ppm pgm pbm
      pam pnm pfm xbm xpm wbmp sgi ras xwd dpx exr hdr fits psb jxr jls mng jng pict cin jb2 pcd xcf dcm
      dcx djvu dng nef arw pef srw cr2 orf rw2 crw cr3 raf`),
    canonical: (from) => [from === 'png' ? 'webp' : 'png', ...(['dng', 'raf'].includes(from) ? ['tif'] : [])],
    suits: ({ truth = {} }, to) => texts.includes(to) === 'words' in truth,
  },
  {
    name: 'model',
    specimens: modelSpecimens,
    features: modelFeatures,
    formats: list('stl off ply obj amf 3mf gltf glb dae x3d x ac ase lwo 3ds ifc step iges brep fcstd scad blend fbx'),
    canonical: (from) => [from === 'stl' ? 'obj' : 'stl', 'glb'].filter((to) => to !== from),
    // It is flat: formats of bodies refuse it.
    suits: ({ name }) => !name.endsWith('-plate2d.scad'),
  },
  {
    name: 'drawing',
    specimens: drawings,
    features: drawingFeatures,
    formats: list('svg svgz eps ps ai emf wmf dxf dwg fig cdr odg vsd vsdx'),
    canonical: () => ['png', 'pdf', 'svg'],
  },
  {
    name: 'document',
    specimens: documentSpecimens,
    features: documentFeatures,
    formats: list(`docx docm dotx doc dot odt ott fodt rtf pdf html xhtml rst org tex textile wiki ipynb adoc dbk md
      txt mht eml jats.xml opml`),
    // On paper, deleted text touches the new text, and a heading a text box. In HTML, a shape with text is a picture.
    suits: ({ name }, to) => !/-sample\.(odt>(pdf|html)|dotx>pdf)$/.test(`${name}>${to}`),
    canonical: (from) => ['docx', 'html', 'pdf', ...(from === 'docx' ? ['odt'] : [])].filter((to) => to !== from),
  },
  {
    name: 'slides',
    specimens: slidesSpecimens,
    features: slidesFeatures,
    formats: list('pptx pptm ppsx potx ppt pps odp fodp'),
    // Its text runs off the slides, and has a formula that LibreOffice leaves out.
    suits: ({ name }, to) => !/-rich\.(odp|pptx)>pdf$/.test(`${name}>${to}`),
    canonical: (from) => ['pdf', from === 'pptx' ? 'odp' : 'pptx'],
  },
  {
    name: 'sheet',
    specimens: sheetSpecimens,
    features: sheetFeatures,
    formats: list('xlsx xlsm xls xlsb ods fods csv tsv json yaml xml'),
    canonical: (from) => ['xlsx', 'ods', 'fods', 'xls', 'csv', 'json', 'html', 'md', 'pdf'].filter((to) => to !== from),
  },
  {
    name: 'film',
    specimens: films,
    features: filmFeatures,
    formats: list('mp4 mov mkv webm avi wmv asf flv f4v mpg vob ts mts m2ts 3gp 3g2 ogv mxf dv rm rmvb swf'),
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
    formats: list(
      'mp3 wav flac aac m4a m4b m4r ogg opus spx wma aiff amr ac3 au caf dts ape wv mp2 mka voc ra weba tta',
    ),
    canonical: (from) => [
      ...['mp3', 'flac'].filter((to) => to !== from),
      ...(from === 'flac' ? ['wav'] : []),
      ...(['mp3', 'm4b', 'mka'].includes(from) ? ['m4a'] : []),
    ],
  },
]
