/** What stands in the workbooks that several programs write. */

/** A cell as it is stored and as it is shown. */
export interface BookCell {
  kind: 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'
  /** Text, the notation of a number, `true`, a date by ISO 8601, days of a time. */
  value: string
  shown: string
  /** Days since 1899-12-30, of dates and times. */
  serial?: number
  /** Its number format, as Excel writes it. */
  format?: string
  formula?: string
  link?: string
  note?: string
  bold?: boolean
  /** Background, as `FFFF00`. */
  fill?: string
}

export interface BookSheet {
  name: string
  rows: readonly (readonly (BookCell | null)[])[]
  hidden?: boolean
  /** Indices. */
  hiddenRows?: readonly number[]
  hiddenColumns?: readonly number[]
  /** Characters by index of the column. */
  widths?: Readonly<Record<string, number>>
  /** Ranges as `A1:C1`. */
  merged?: readonly string[]
}

export interface Book {
  sheets: readonly BookSheet[]
  title?: string
  author?: string
}

const text = (value: string, more: Partial<BookCell> = {}): BookCell => ({ kind: 'text', value, shown: value, ...more })
const number = (value: number, more: Partial<BookCell> = {}): BookCell => ({
  ...{ kind: 'number', value: String(value), shown: String(value) },
  ...more,
})
const truth = (value: boolean): BookCell => ({
  kind: 'boolean',
  value: String(value),
  shown: String(value).toUpperCase(),
})
const error = (value: string, formula: string): BookCell => ({ kind: 'error', value, shown: value, formula })
const moment = (kind: 'date' | 'time', value: string, serial: number, format: string, shown: string): BookCell => ({
  ...{ kind, value, serial, format, shown },
})
const head = (...names: string[]) => names.map((name) => text(name, { bold: true, fill: 'FFFF00' }))

/** Texts that programs take for numbers, dates, formulas or markup. */
export const odd = [
  ...['01234', '=1+1', '1e5', '1/2/2020', '12345678901234567890', 'he said "hi"', 'a,b;c|d', 'שלום עברית', '⛵ sail'],
  ...['TRUE', '#N/A', '50%', '€5', 'x<y&z>', '12:30', 'two\nlines', '+1', '-', '@SUM(A1)'],
]

export const ledger: Book = {
  title: 'Fleet ledger',
  author: 'Ida Storm',
  sheets: [
    {
      name: 'Fleet',
      rows: [
        head('Boat', 'Men', 'Share', 'Cost', 'Built', 'Left', 'Afloat', 'Double', 'When', 'Span'),
        [
          text('Tern', { note: 'needs paint' }),
          number(7),
          number(0.125, { format: '0.0%', shown: '12.5%' }),
          number(1234.5, { format: '#,##0.00', shown: '1,234.50' }),
          moment('date', '2020-01-31', 43861, 'yyyy-mm-dd', '2020-01-31'),
          moment('time', '0.572916666666667', 0.572916666666667, 'hh:mm', '13:45'),
          truth(true),
          number(14, { formula: 'B2*2' }),
          moment('date', '2021-12-31T23:59:58', 44561.9999768519, 'dd.mm.yyyy hh:mm:ss', '31.12.2021 23:59:58'),
          moment('time', '1.5', 1.5, '[h]:mm:ss', '36:00:00'),
        ],
        [
          text('Gull'),
          number(-12.25),
          number(1),
          number(-9876543.21),
          null,
          null,
          truth(false),
          error('#DIV/0!', '1/0'),
        ],
        [
          text('Skua', { link: 'https://example.org/skua' }),
          number(12345678901234),
          number(0.333333333333),
          number(0.5, { format: '0.000', shown: '0.500' }),
          null,
          null,
          { ...truth(true), formula: 'B2>5' },
          number(-5.25, { formula: 'SUM(B2:B3)' }),
          text('Tern-x', { formula: 'A2&"-x"' }),
        ],
      ],
      hiddenRows: [2],
      hiddenColumns: [2],
      widths: { 0: 30 },
    },
    { name: 'Odd & more', rows: [head('Text', 'end'), ...odd.map((value) => [text(value), text('end')])] },
    { name: 'Secret', hidden: true, rows: [head('word'), [text('concealed')]] },
    {
      name: 'Plan',
      rows: [
        [text('Wide title'), null, null],
        [text('a'), text('b'), text('c')],
        [text('tall'), number(1), number(2)],
        [null, number(3), number(4)],
      ],
      merged: ['A1:C1', 'A3:A4'],
    },
  ],
}

/** More columns than a page is wide, in columns that are too narrow. */
export const wide: Book = {
  title: 'Wide',
  author: 'Ida Storm',
  sheets: [
    {
      name: 'Wide',
      rows: [
        head(...Array.from({ length: 12 }, (_, index) => `Harbour ${index + 1}`)),
        ...[1, 2, 3].map((row) => [
          ...Array.from({ length: 8 }, (_, index) => text(`berth ${row} of quay ${index + 1}`)),
          number(123456789.5 * row, {
            format: '#,##0.00',
            shown: `${['', '123,456,789.50', '246,913,579.00', '370,370,368.50'][row]}`,
          }),
          moment('date', `2020-01-0${row}`, 43830 + row, 'yyyy-mm-dd', `2020-01-0${row}`),
          truth(true),
          text('end of the row'),
        ]),
      ],
    },
  ],
}
