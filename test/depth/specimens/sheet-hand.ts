/** Spreadsheets that are one file of XML. */
import type { Book, BookCell, BookSheet } from './sheet-books.ts'

const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** How many rows and columns a range `A1:C1` that begins at a cell has. */
function spanOf({ merged = [] }: BookSheet, y: number, x: number): { across: number; down: number; covered: boolean } {
  for (const range of merged) {
    const [left, top, right, bottom] = /([A-Z])(\d+):([A-Z])(\d+)/.exec(range)!.slice(1) as [
      string,
      string,
      string,
      string,
    ]
    const [x1, x2] = [left, right].map((letter) => letter.charCodeAt(0) - 65) as [number, number]
    const [y1, y2] = [top, bottom].map((row) => Number(row) - 1) as [number, number]
    if (y < y1 || y > y2 || x < x1 || x > x2) continue
    const isFirst = y === y1 && x === x1
    return isFirst ? { across: x2 - x1 + 1, down: y2 - y1 + 1, covered: false } : { across: 1, down: 1, covered: true }
  }
  return { across: 1, down: 1, covered: false }
}
const widthOf = (sheet: BookSheet) => Math.max(...sheet.rows.map((row) => row.length))
const columnsOf = (sheet: BookSheet) => Array.from({ length: widthOf(sheet) }, (_, x) => x)

/** Formats by the names that styles of OpenDocument have here. */
const formats: Readonly<Record<string, string>> = {
  '0.0%':
    '<number:percentage-style style:name="N"><number:number number:decimal-places="1" number:min-decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
  '#,##0.00':
    '<number:number-style style:name="N"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>',
  '0.000':
    '<number:number-style style:name="N"><number:number number:decimal-places="3" number:min-decimal-places="3" number:min-integer-digits="1"/></number:number-style>',
  'yyyy-mm-dd':
    '<number:date-style style:name="N"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>',
  'dd.mm.yyyy hh:mm:ss':
    '<number:date-style style:name="N"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/><number:text> </number:text><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/><number:text>:</number:text><number:seconds number:style="long"/></number:date-style>',
  'hh:mm':
    '<number:time-style style:name="N"><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>',
  '[h]:mm:ss':
    '<number:time-style style:name="N" number:truncate-on-overflow="false"><number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text>:</number:text><number:seconds number:style="long"/></number:time-style>',
}
const named = Object.keys(formats)

const timeOf = (cell: BookCell) => {
  const seconds = Math.round(Number(cell.value) * 86_400)
  return `PT${Math.floor(seconds / 3600)}H${Math.floor(seconds / 60) % 60}M${seconds % 60}S`
}

function openCell(cell: BookCell | null, span: string): string {
  if (!cell) return `<table:table-cell${span}/>`
  const { kind, value, shown, formula, link, note, bold, format } = cell
  const typed = {
    text: 'office:value-type="string"',
    error: 'office:value-type="string" office:string-value=""',
    number: `office:value-type="${format?.endsWith('%') ? 'percentage' : 'float'}" office:value="${value}"`,
    boolean: `office:value-type="boolean" office:boolean-value="${value}"`,
    date: `office:value-type="date" office:date-value="${value}"`,
    time: `office:value-type="time" office:time-value="${kind === 'time' ? timeOf(cell) : ''}"`,
  }[kind]
  const place = (reference: string) => `[.${reference.replace(':', ':.')}]`
  const own = formula ? ` table:formula="of:=${xml(formula.replace(/[A-Z]\d+(:[A-Z]\d+)?/g, place))}"` : ''
  const style = bold
    ? ' table:style-name="head"'
    : format
      ? ` table:style-name="f${named.indexOf(format)}"`
      : kind === 'boolean'
        ? ' table:style-name="truth"'
        : ''
  const lines = shown
    .split('\n')
    .map(
      (line) =>
        `<text:p>${link ? `<text:a xlink:type="simple" xlink:href="${link}">${xml(line)}</text:a>` : xml(line)}</text:p>`,
    )
    .join('')
  const aside = note ? `<office:annotation><text:p>${note}</text:p></office:annotation>` : ''
  return `<table:table-cell${span}${style}${own} ${typed}>${aside}${lines}</table:table-cell>`
}

/** A flat OpenDocument spreadsheet (OpenDocument 1.3 part 3, §9). */
export function flat({ sheets, title, author }: Book): string {
  const names = ['office', 'table', 'text', 'style', 'meta']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const space = `${names} xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"`
  const styles = named
    .map(
      (format, index) =>
        `${formats[format]!.replace('"N"', `"n${index}"`)}<style:style style:name="f${index}" style:family="table-cell" style:data-style-name="n${index}"/>`,
    )
    .join('')
  const column = (width: string) => `<style:table-column-properties style:column-width="${width}"/>`
  const fixed = `<style:style style:name="head" style:family="table-cell"><style:table-cell-properties fo:background-color="#ffff00"/><style:text-properties fo:font-weight="bold"/></style:style><number:boolean-style style:name="b"><number:boolean/></number:boolean-style><style:style style:name="truth" style:family="table-cell" style:data-style-name="b"/><style:style style:name="usual" style:family="table-column">${column('17mm')}</style:style><style:style style:name="broad" style:family="table-column">${column('58mm')}</style:style><style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="concealed" style:family="table"><style:table-properties table:display="false"/></style:style>`
  const tables = sheets.map((sheet) => {
    const columns = columnsOf(sheet).map(
      (x) =>
        `<table:table-column table:style-name="${x in (sheet.widths ?? {}) ? 'broad' : 'usual'}"${sheet.hiddenColumns?.includes(x) ? ' table:visibility="collapse"' : ''}/>`,
    )
    const rows = sheet.rows.map((row, y) => {
      const cells = columnsOf(sheet).map((x) => {
        const { across, down, covered } = spanOf(sheet, y, x)
        if (covered) return '<table:covered-table-cell/>'
        const span =
          across * down > 1 ? ` table:number-columns-spanned="${across}" table:number-rows-spanned="${down}"` : ''
        return openCell(row[x] ?? null, span)
      })
      return `<table:table-row${sheet.hiddenRows?.includes(y) ? ' table:visibility="collapse"' : ''}>${cells.join('')}</table:table-row>`
    })
    return `<table:table table:name="${xml(sheet.name)}" table:style-name="${sheet.hidden ? 'concealed' : 'shown'}">${columns.join('')}${rows.join('')}</table:table>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${space} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:meta><dc:title>${title}</dc:title><meta:initial-creator>${author}</meta:initial-creator></office:meta><office:automatic-styles>${styles}${fixed}</office:automatic-styles><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document>\n`
}

/** A workbook of Excel 2003 in XML. */
export function excelXml({ sheets, title, author }: Book): string {
  const all = [...new Set(sheets.flatMap(({ rows }) => rows.flat()).flatMap((cell) => cell?.format ?? []))]
  const styles = all
    .map(
      (format, index) =>
        `<Style ss:ID="f${index}"><NumberFormat ss:Format="${format.replace(/[-. ](?![0#])/g, '\\$&')}"/></Style>`,
    )
    .join('')
  const relative = (formula: string, y: number, x: number) =>
    formula.replace(
      /([A-Z])(\d+)/g,
      (_, letter: string, row: string) => `R[${Number(row) - 1 - y}]C[${letter.charCodeAt(0) - 65 - x}]`,
    )
  const tables = sheets.map((sheet) => {
    const columns = columnsOf(sheet).map(
      (x) =>
        `<Column${x in (sheet.widths ?? {}) ? ' ss:Width="165"' : ' ss:Width="48"'}${sheet.hiddenColumns?.includes(x) ? ' ss:Hidden="1"' : ''}/>`,
    )
    const rows = sheet.rows.map((row, y) => {
      const cells = row.map((cell, x) => {
        const { across, down, covered } = spanOf(sheet, y, x)
        if (!cell || covered) return ''
        const kinds = {
          text: 'String',
          number: 'Number',
          boolean: 'Boolean',
          date: 'DateTime',
          time: 'Number',
          error: 'Error',
        }
        const value =
          cell.kind === 'boolean'
            ? Number(cell.value === 'true')
            : cell.kind === 'date'
              ? cell.value.includes('T')
                ? cell.value
                : `${cell.value}T00:00:00.000`
              : xml(cell.value).replaceAll('\n', '&#10;')
        const style = cell.bold ? ' ss:StyleID="head"' : cell.format ? ` ss:StyleID="f${all.indexOf(cell.format)}"` : ''
        const more = `${cell.formula ? ` ss:Formula="=${xml(relative(cell.formula, y, x))}"` : ''}${cell.link ? ` ss:HRef="${cell.link}"` : ''}${across > 1 ? ` ss:MergeAcross="${across - 1}"` : ''}${down > 1 ? ` ss:MergeDown="${down - 1}"` : ''}`
        const note = cell.note ? `<Comment><ss:Data>${cell.note}</ss:Data></Comment>` : ''
        return `<Cell ss:Index="${x + 1}"${style}${more}><Data ss:Type="${kinds[cell.kind]}">${value}</Data>${note}</Cell>`
      })
      return `<Row${sheet.hiddenRows?.includes(y) ? ' ss:Hidden="1"' : ''}>${cells.join('')}</Row>`
    })
    const options = sheet.hidden
      ? '<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions>'
      : ''
    return `<Worksheet ss:Name="${xml(sheet.name)}"><Table>${columns.join('')}${rows.join('')}</Table>${options}</Worksheet>`
  })
  return `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Title>${title}</Title><Author>${author}</Author></DocumentProperties><Styles><Style ss:ID="head"><Font ss:Bold="1"/><Interior ss:Color="#FFFF00" ss:Pattern="Solid"/></Style>${styles}</Styles>${tables.join('')}</Workbook>\n`
}
