import { around, type Block, type Paragraph } from './model.ts'
import { NEAR } from './rules.ts'
import { plainText } from './spans.ts'
import { goesOn, joinedTables } from './table-joining.ts'

/** Whether a paragraph ends in the middle of a sentence that the next one goes on with. */
const continues = (last: Paragraph, first: Paragraph) =>
  !last.heading &&
  !last.code &&
  !first.heading &&
  !first.code &&
  !first.list &&
  Math.abs(last.size - first.size) < 0.6 &&
  /[\p{L}\p{N},\-\u2010]\s*$/u.test(plainText(last.spans)) &&
  /^\p{Ll}/u.test(plainText(first.spans))

/** Adds a listing to one that a page break parts from it. */
function joinListings(last: Paragraph, first: Paragraph): void {
  // Letters of one width are as wide as 0.6 of their size.
  const indent = ' '.repeat(Math.max(0, Math.round(((first.left ?? 0) - (last.left ?? 0)) / (0.6 * last.size))))
  const spans = first.spans.map((span) => ({ ...span, text: span.text.replaceAll('\n', `\n${indent}`) }))
  last.spans.at(-1)!.text += `\n${indent}`
  last.spans.push(...spans)
}

/** Adds a paragraph to the one that it goes on with. Returns whether it does. */
function joinedParagraphs(last: Block | undefined, first: Block | undefined): boolean {
  if (last?.kind !== 'paragraph' || first?.kind !== 'paragraph') return false
  if (last.code && first.code) {
    joinListings(last, first)
    return true
  }
  if (!continues(last, first)) return false
  const end = last.spans.at(-1)!
  if (/\p{L}[-\u2010]$/u.test(end.text)) end.text = end.text.slice(0, -1)
  else if (!/\s$/.test(end.text)) end.text += ' '
  last.spans.push(...first.spans)
  return true
}

/** Adds a table or paragraph to the one that it goes on with. Returns whether it does. */
function joined(blocks: Block[], first: Block | undefined): boolean {
  const last = blocks.at(-1)
  if (last?.kind !== 'table' || first?.kind !== 'table') return joinedParagraphs(last, first)
  if (!goesOn(last, first)) return false
  blocks[blocks.length - 1] = joinedTables(last, first)
  return true
}

/** Blocks with tables that touch as one: colours part some of them. */
export function joinTouching(blocks: readonly Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const above = result.at(-1)
    const touches = above?.kind === 'table' && Math.abs(block.box[1] - above.box[3]) < NEAR
    if (!touches || !joined(result, block)) result.push(block)
    else result[result.length - 1] = { ...result.at(-1)!, box: around([above.box, block.box]) }
  }
  return result
}

/** The blocks of columns, with what goes on in the next column as one. */
export function joinColumns(columns: Block[][]): Block[] {
  const blocks: Block[] = []
  for (const column of columns) blocks.push(...column.slice(Number(joined(blocks, column[0]))))
  return blocks
}

/** Joins what a page break parts: tables, and paragraphs in the middle of a sentence. */
export function join(pages: Block[][]): void {
  let before: Block[] = []
  for (const blocks of pages) {
    if (joined(before, blocks[0])) blocks.shift()
    if (blocks.length > 0) before = blocks
  }
}
