import type { Block, Paragraph } from './model.ts'
import { plainText } from './spans.ts'
import { goesOn, joinedTables } from './tables.ts'

/** Whether a paragraph ends in the middle of a sentence that the next one goes on with. */
const continues = (last: Paragraph, first: Paragraph) =>
  !last.heading &&
  !first.heading &&
  !first.list &&
  Math.abs(last.size - first.size) < 0.6 &&
  /[\p{L}\p{N},\-\u2010]\s*$/u.test(plainText(last.spans)) &&
  /^\p{Ll}/u.test(plainText(first.spans))

/** Adds a paragraph to the one that it goes on with. Returns whether it does. */
function joinedParagraphs(last: Block | undefined, first: Block | undefined): boolean {
  if (last?.kind !== 'paragraph' || first?.kind !== 'paragraph' || !continues(last, first)) return false
  const end = last.spans.at(-1)!
  if (/\p{L}[-\u2010]$/u.test(end.text)) end.text = end.text.slice(0, -1)
  else if (!/\s$/.test(end.text)) end.text += ' '
  last.spans.push(...first.spans)
  return true
}

/** The blocks of columns, with the paragraphs that go on in the next column as one. */
export function joinColumns(columns: Block[][]): Block[] {
  const blocks: Block[] = []
  for (const column of columns) blocks.push(...column.slice(Number(joinedParagraphs(blocks.at(-1), column[0]))))
  return blocks
}

/** Joins what a page break parts: tables, and paragraphs in the middle of a sentence. */
export function join(pages: Block[][]): void {
  let before: Block[] | undefined
  for (const blocks of pages) {
    const last = before?.at(-1)
    const first = blocks[0]
    if (last?.kind === 'table' && first?.kind === 'table' && goesOn(last, first)) {
      before![before!.length - 1] = joinedTables(last, first)
      blocks.shift()
    } else if (joinedParagraphs(last, first)) blocks.shift()
    if (blocks.length > 0) before = blocks
  }
}
