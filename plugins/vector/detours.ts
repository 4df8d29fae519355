import type { Route } from '../../kernel/contract.ts'
import type { VectorOptions } from './options.ts'

/** Pictures that the tracer does not read itself. */
const pictures = [
  ...['apng', 'heic', 'bmp', 'tif', 'ico', 'cur', 'icns', 'jxl', 'jp2', 'jxr', 'psd', 'psb', 'xcf', 'tga', 'pcx'],
  ...['dcx', 'ppm', 'pgm', 'pbm', 'pam', 'pnm', 'pfm', 'xbm', 'xpm', 'wbmp', 'sgi', 'ras', 'xwd', 'dpx', 'cin'],
  ...['exr', 'hdr', 'dds', 'fits', 'qoi', 'jls', 'mng', 'jng', 'pict', 'pcd', 'dcm', 'jb2', 'miff', 'djvu'],
  ...['dng', 'cr2', 'cr3', 'crw', 'nef', 'arw', 'orf', 'raf', 'rw2', 'pef', 'srw'],
]

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
