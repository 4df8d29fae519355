/** What a reader finds in a text document. Undefined is what it cannot tell; empty is what is not there. */
export interface Writing {
  /** All words in reading order; a space or line between blocks. */
  text: string
  /** Lines as they are shown, for formats in which a table is a layout of words. */
  lines?: readonly string[]
  title?: string
  author?: string
  /** Level and text. Level 0: a heading by its look. */
  headings?: readonly (readonly [level: number, text: string])[]
  items?: readonly (readonly [ordered: boolean, text: string])[]
  /** A cell that others cover is empty. */
  tables?: readonly (readonly (readonly string[])[])[]
  notes?: readonly string[]
  links?: readonly (readonly [text: string, address: string])[]
  bold?: readonly string[]
  italic?: readonly string[]
  /** Width and height of the first page in millimetres. */
  page?: readonly [number, number]
  /** Pictures as PNG, JPEG or others that sharp reads. */
  pictures?: readonly Buffer[]
}

/** Reads a file of its format. Rejects if it is broken. */
export type Reader = (path: string) => Promise<Writing>
