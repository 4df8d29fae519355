import type { Filter } from '../../engines/libreoffice.ts'

/** Slides that LibreOffice reads. */
export const sources: Readonly<Record<string, Filter>> = {
  pptx: 'Impress MS PowerPoint 2007 XML',
  pptm: 'Impress MS PowerPoint 2007 XML',
  ppsx: 'Impress MS PowerPoint 2007 XML AutoPlay',
  potx: 'Impress MS PowerPoint 2007 XML Template',
  ppt: undefined,
  pps: undefined,
  odp: 'impress8',
  fodp: 'OpenDocument Presentation Flat XML',
}

/** Slides that LibreOffice writes. */
export const targets: Readonly<Record<string, Filter>> = {
  pdf: 'impress_pdf_Export',
  pptx: 'Impress MS PowerPoint 2007 XML',
  ppt: 'MS PowerPoint 97',
  pptm: 'Impress MS PowerPoint 2007 XML VBA',
  pps: 'MS PowerPoint 97 AutoPlay',
  potx: 'Impress MS PowerPoint 2007 XML Template',
  odp: 'impress8',
  fodp: 'OpenDocument Presentation Flat XML',
}
