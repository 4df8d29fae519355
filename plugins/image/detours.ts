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
import { writable } from './sharp.ts'
import { writers } from './writers.ts'

const documents = [
  ...extensions(texts, plainText, webPages),
  // Written only.
  ...without(markup, 'jats.xml', 'icml'),
  ...['xps', 'odg', 'cdr'],
  ...extensions(sheets, slides, diagrams, olderTexts),
  ...mail,
]

/** Drawings and models that the vector category reads. */
const drawn = ['fig', ...plan, ...model]

/** What people want pictures of them as. */
const pictures = ['png', 'jpg', 'webp']

/** What people want pages as. */
const pages = [...pictures, 'tif', 'gif', 'avif', 'bmp']

/** Documents page by page, drawings and models as they are drawn: by what the other categories make of them. */
export const detours: Route<ImageOptions>[] = [
  { from: documents, to: pages, via: 'pdf' },
  { from: drawn, to: pictures, via: 'svg' },
]

/** Windows metafiles by what the vector category draws of them; without it, by the reader of this one. */
export const metafiles: Route<ImageOptions> = {
  from: metafile,
  to: [...writable, ...writers.flatMap(({ to }) => to)],
  via: 'svg',
}
