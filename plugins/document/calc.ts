import type { Filter } from '../../engines/libreoffice.ts'

/** Spreadsheets that LibreOffice reads. */
export const sources: Readonly<Record<string, Filter>> = {
  xlsx: 'Calc MS Excel 2007 XML',
  xlsm: 'Calc MS Excel 2007 VBA XML',
  xlsb: 'Calc MS Excel 2007 Binary',
  xls: undefined,
  ods: 'calc8',
  fods: 'OpenDocument Spreadsheet Flat XML',
}

/** Spreadsheets that LibreOffice writes into one file, however many sheets there are. */
export const targets: Readonly<Record<string, Filter>> = {
  pdf: 'calc_pdf_Export',
  xlsx: 'Calc MS Excel 2007 XML',
  xls: 'MS Excel 97',
  xlsm: 'Calc MS Excel 2007 VBA XML',
  ods: 'calc8',
  fods: 'OpenDocument Spreadsheet Flat XML',
  html: 'HTML (StarCalc)',
}
