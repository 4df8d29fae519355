/** Left, top, right and bottom, in points from the top left of the page. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number]

/** A rule or a filled rectangle, with its colour as `#rrggbb`. */
export type Drawn = readonly [x0: number, y0: number, x1: number, y1: number, colour: string]

/** A word in one style. */
export interface Word {
  text: string
  box: Box
  /** The baseline: its y, or its x where the word is turned. */
  base: number
  size: number
  font: string
  colour: number
  /** Clockwise turn in degrees. */
  turn: number
  /** Whether a space or the beginning of a line is before it. */
  spaced: boolean
  /** Whether a space was typed at the line break before it. */
  parted?: boolean
  bold?: boolean
  italic?: boolean
  /** Whether its letters have one width and may be code. */
  mono?: boolean
  /** Whether its letters follow each other from right to left on the page already. */
  back?: boolean
  raised?: 'sup' | 'sub'
  href?: string
}

export interface Image {
  box: Box
  /** File name beside the input. */
  src?: string
}

/** A field of a form. */
export interface Field {
  box: Box
  /** What shows the state of a check box or radio button; empty for buttons that do something. */
  sign?: string
}

/** A page as `mupdf/read.js` writes it. */
export interface Page {
  bounds: Box
  words: Word[]
  rules: Drawn[]
  boxes: Drawn[]
  fields: Field[]
  /** Shapes as small as bullets. */
  dots: Box[]
  figures: Image[]
  pictures: Image[]
  links: { box: Box; uri: string }[]
  /** Whether all text is invisible, as over a scanned page. */
  hidden: boolean
}

export interface Title {
  title: string
  level: number
}

/** Text in one style. A line feed is a line break. */
export interface Span {
  text: string
  size: number
  font: string
  colour: number
  bold?: boolean
  italic?: boolean
  mono?: boolean
  raised?: 'sup' | 'sub'
  href?: string
  /** The footnote that this mark refers to. */
  note?: Paragraph
  /** The number of the page, or of all pages, in headers and footers. */
  field?: 'page' | 'pages'
}

/** How a line is drawn: its width in points, and its colour as `#rrggbb`. */
export interface Stroke {
  width: number
  colour: string
}

export interface Paragraph {
  kind: 'paragraph'
  spans: Span[]
  size: number
  /** 1 to 6 for headings. */
  heading?: number
  list?: { ordered: boolean; depth: number; number: number }
  /** Whether it is a listing, with a line break after each line. */
  code?: boolean
  align: 'left' | 'center' | 'right'
  rtl: boolean
  /** Distance of its baselines, where it has several lines. */
  pitch?: number
  /** Indent of its first line; negative if it hangs. */
  indent?: number
  /** Indent of all lines, from the left edge of the text. */
  left?: number
  /** The same from the right edge. */
  right?: number
  /** Lines along the text above and below it. */
  above?: Stroke
  below?: Stroke
  /** Tab stops from the left edge of its column: where text begins, or ends at the right edge. */
  tabs?: { at: number; isEnd: boolean }[]
  box: Box
}

export interface Cell {
  column: number
  columns: number
  rows: number
  paragraphs: Paragraph[]
  fill?: string
  /** Where its text stands, if not in the middle. */
  vertical?: 'top' | 'bottom'
}

export interface Table {
  kind: 'table'
  /** Widths of the columns. */
  widths: number[]
  rows: Cell[][]
  /** Number of rows that are repeated on each page. */
  header: number
  /** Whether cells have lines around them. */
  ruled: boolean
  /** Those lines, if they are not the edges of colours. */
  border?: Stroke
  /** Whether the first column is at the right. */
  rtl?: boolean
  /** Lines above rows; the number of rows stands for the line below the last. */
  lines: (Stroke & { row: number })[]
  /** Least heights of the rows. */
  heights: number[]
  /** Where it begins from the edge of the text, and whether it is in the middle. */
  left: number
  centred: boolean
  box: Box
}

export interface Picture {
  kind: 'picture'
  src: string
  box: Box
  align: Paragraph['align']
}

export type Block = Paragraph | Table | Picture

/** Pages of one size. Lengths are in points. */
export interface Section {
  width: number
  height: number
  /** Left, top, right, bottom. */
  margins: Box
  /** Blocks by page. */
  pages: Block[][]
  /** Numbers of these pages in the file, from 1. */
  numbers: number[]
}

export interface Document {
  sections: Section[]
  /** The most frequent font size and font. */
  size: number
  font: string
  header: Paragraph[]
  footer: Paragraph[]
  /** Whether the first page has neither. */
  plainFirst: boolean
  /** The number that the first page has. */
  firstNumber: number
}

export const width = (box: Box | Drawn) => box[2] - box[0]
export const height = (box: Box | Drawn) => box[3] - box[1]

/** The smallest box around others; `boxes` must not be empty. */
export const around = (boxes: readonly (Box | Drawn)[]): Box =>
  boxes
    .map(([x0, y0, x1, y1]): Box => [x0, y0, x1, y1])
    .reduce((a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])])

/** The middle of the letters of a line or word from top to bottom, as boxes of some fonts are far higher than these. */
export const middleOf = ({ box, base, size, turn = 0 }: Pick<Word, 'box' | 'base' | 'size'> & { turn?: number }) =>
  turn % 180 ? (box[1] + box[3]) / 2 : base - 0.3 * size

/** Whether the middle of `inner` is in `outer`. */
export function centred(inner: Box, outer: Box | Drawn): boolean {
  const x = (inner[0] + inner[2]) / 2
  const y = (inner[1] + inner[3]) / 2
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]
}

/** The value in the middle of a sorted list. */
export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
