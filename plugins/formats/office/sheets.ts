import type { Family } from '../family.ts'

const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const open = 'application/vnd.oasis.opendocument.spreadsheet'

const sheet = ['pdf', 'xlsx', 'csv', 'ods', 'html', 'json', 'xls', 'tsv', 'md', 'docx', 'png', 'txt']
const table = ['xlsx', 'json', 'pdf', 'html', 'ods', 'tsv', 'csv', 'md', 'xml', 'yaml', 'txt', 'xls']

/** Spreadsheets, and tables as plain text. Templates are detected as spreadsheets. */
export const sheets = {
  xlsx: {
    mime: `${excel}.sheet`,
    zip: { main: ['spreadsheetml.sheet.main+xml', 'spreadsheetml.template.main+xml'] },
    wanted: sheet,
  },
  xls: {
    mime: 'application/vnd.ms-excel',
    signatures: ['\x09\x04\x06\0', '\x09\x02\x06\0', '\x09\x08\x08\0\0'],
    xml: { root: 'workbook', attributes: /urn:schemas-microsoft-com:office:spreadsheet/ },
    wanted: sheet,
  },
  xlsm: {
    mime: 'application/vnd.ms-excel.sheet.macroEnabled.12',
    zip: { main: ['ms-excel.sheet.macroenabled.main+xml', 'ms-excel.template.macroenabled.main+xml'] },
    wanted: sheet,
  },
  xlsb: {
    mime: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12',
    zip: { main: ['ms-excel.sheet.binary.macroenabled.main'] },
    wanted: sheet,
  },
  ods: { mime: open, zip: { types: [open, `${open}-template`] }, wanted: sheet },
  fods: {
    mime: `${open}-flat-xml`,
    xml: { root: 'document', attributes: /opendocument\.spreadsheet/ },
    wanted: sheet,
  },
  csv: { mime: 'text/csv', text: 'plain', wanted: table },
  tsv: { mime: 'text/tab-separated-values', aliases: ['tab'], text: 'plain', wanted: table },
} satisfies Family
