import type { Route } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { specialPictures } from '../formats/raster/pictures.ts'
import type { VectorOptions } from './options.ts'

/** Pictures that the tracer does not read itself. */
const pictures = [...specialPictures, 'djvu', ...cameraRaw]

/** What people want pages of as drawings. */
const documents = [
  ...['docx', 'doc', 'odt', 'rtf', 'txt', 'html', 'md', 'pptx', 'ppt', 'ppsx', 'odp', 'xlsx', 'xls', 'ods', 'csv'],
  ...['xps', 'pub'],
]

/** Pictures are traced; what only the image category reads becomes PNG on the way. Documents are drawn page by page. */
export const detours: Route<VectorOptions>[] = [
  { from: pictures, to: ['svg', 'svgz', 'eps', 'emf', 'wmf', 'odg'], via: 'png' },
  { from: documents, to: ['svg'], via: 'pdf' },
]
