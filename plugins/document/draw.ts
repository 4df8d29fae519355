import type { Filter } from '../../engines/libreoffice.ts'

/** Drawings that LibreOffice reads. */
export const sources: Readonly<Record<string, Filter>> = {
  odg: 'draw8',
  vsd: 'Visio Document',
  vsdx: 'Visio Document',
  pub: 'Publisher Document',
  cdr: 'Corel Draw Document',
}

/** What LibreOffice makes of drawings. */
export const targets: Readonly<Record<string, Filter>> = { pdf: 'draw_pdf_Export' }
