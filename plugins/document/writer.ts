import type { Filter } from '../../engines/libreoffice.ts'

/** Formats of discontinued word processors. */
export const older: Readonly<Record<string, Filter>> = {
  wpd: 'WordPerfect',
  wps: 'MS_Works',
  wri: 'MS_Write',
}

/** Texts that LibreOffice reads, with their filters. Without one, it would take a damaged file for plain text. */
export const sources: Readonly<Record<string, Filter>> = {
  docx: 'MS Word 2007 XML',
  docm: 'MS Word 2007 XML',
  dotx: 'MS Word 2007 XML',
  // Several versions; LibreOffice knows them by their signatures.
  doc: undefined,
  dot: undefined,
  odt: 'writer8',
  ott: 'writer8_template',
  fodt: 'OpenDocument Text Flat XML',
  sxw: 'StarOffice XML (Writer)',
  rtf: 'Rich Text Format',
  txt: 'Text (encoded)',
  html: 'HTML (StarWriter)',
  xhtml: 'HTML (StarWriter)',
  ...older,
}

/** Texts that LibreOffice writes. */
export const targets: Readonly<Record<string, Filter>> = {
  pdf: 'writer_pdf_Export',
  docx: 'MS Word 2007 XML',
  doc: 'MS Word 97',
  docm: 'MS Word 2007 XML VBA',
  dotx: 'MS Word 2007 XML Template',
  dot: 'MS Word 97 Vorlage',
  odt: 'writer8',
  ott: 'writer8_template',
  fodt: 'OpenDocument Text Flat XML',
  rtf: 'Rich Text Format',
  txt: ['Text (encoded)', 'UTF8,LF'],
  // Otherwise LibreOffice writes pictures beside the file.
  html: ['HTML (StarWriter)', 'EmbedImages'],
  xhtml: 'XHTML Writer File',
}
