import type { Route } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { specialPictures } from '../formats/raster/pictures.ts'
import type { VectorOptions } from './options.ts'

/** Pictures that the tracer cannot read, among them animated AVIF. */
const pictures = [...specialPictures, 'avif', 'djvu', ...cameraRaw]

/** Useful drawing formats for pages. */
const documents = [
  'docx',
  'doc',
  'odt',
  'rtf',
  'txt',
  'html',
  'mht',
  'md',
  'pptx',
  'ppt',
  'ppsx',
  'odp',
  'xlsx',
  'xls',
  'ods',
  'csv',
  'xps',
  'pub',
]

/** Pictures are traced. Those that only the image category reads become PNG first. Documents are drawn page by page. */
export const detours: Route<VectorOptions>[] = [
  { from: pictures, to: ['svg', 'svgz', 'eps', 'emf', 'wmf', 'odg'], via: 'png' },
  { from: documents, to: ['svg'], via: 'pdf' },
]
