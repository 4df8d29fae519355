import type { Route } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import { extensions, without } from '../formats/family.ts'
import { markup, plainText, webPages } from '../formats/markup/markups.ts'
import { model, plan } from '../formats/model/models.ts'
import { diagrams } from '../formats/office/diagrams.ts'
import { mail } from '../formats/office/mails.ts'
import { sheets } from '../formats/office/sheets.ts'
import { slides } from '../formats/office/slides.ts'
import { olderTexts, texts } from '../formats/office/texts.ts'

import type { ImageOptions } from './options.ts'
import { writable } from './targets.ts'
import { writers } from './writers.ts'

const documents = [
  ...extensions(texts, plainText, webPages),
  // These two can only be written.
  ...without(markup, 'jats.xml', 'icml'),
  'xps',
  'odg',
  'cdr',
  ...extensions(sheets, slides, diagrams, olderTexts),
  ...mail,
]

/** Drawings and models that the vector category reads. */
const drawn = ['fig', ...plan, ...model]

/** Targets for drawings and models. */
const pictures = ['png', 'jpg', 'webp']

/** Targets for pages. */
const pages = [...pictures, 'tif', 'gif', 'avif', 'bmp']

/** Documents via pages of their pdf, drawings and models via their svg, which other plugins make. */
export const detours: Route<ImageOptions>[] = [
  { from: documents, to: pages, via: 'pdf' },
  { from: drawn, to: pictures, via: 'svg' },
]

/** PICT that draws. Pictures in PICT are read before. */
export const drawnPict: Route<ImageOptions> = {
  from: ['pict'],
  to: without([...writable, ...writers.flatMap(({ to }) => to)], 'pict'),
  via: 'svg',
}

/** Windows metafiles via the vector plugin's svg. Without that plugin, `drawingReader` reads them. */
export const metafiles: Route<ImageOptions> = {
  from: metafile,
  to: [...writable, ...writers.flatMap(({ to }) => to)],
  via: 'svg',
}
