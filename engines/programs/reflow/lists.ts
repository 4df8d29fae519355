import type { Block, Paragraph } from './model.ts'
import { plainText } from './spans.ts'

const NUMBERED = /^\(?(\d{1,3}|[a-z])[.)]\s+/i

function numberOf(paragraph: Paragraph): number | undefined {
  const mark = NUMBERED.exec(plainText(paragraph.spans))?.[1]
  if (!mark || paragraph.heading || paragraph.list || paragraph.code) return undefined
  return /\d/.test(mark) ? Number(mark) : mark.toLowerCase().charCodeAt(0) - 96
}

/** Takes the first `count` characters off a text. */
function shorten(paragraph: Paragraph, count: number): void {
  while (count > 0 && paragraph.spans[0]) {
    const { text } = paragraph.spans[0]
    if (text.length > count) {
      paragraph.spans[0] = { ...paragraph.spans[0], text: text.slice(count) }
      return
    }
    count -= text.length
    paragraph.spans.shift()
  }
}

/** Makes numbered lists of paragraphs whose numbers follow each other, and finds how deep items are. */
export function nameLists(blocks: readonly Block[]): void {
  const items = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block] : []))
  for (const [index, paragraph] of items.entries()) {
    const number = numberOf(paragraph)
    if (number === undefined) continue
    const near = (step: number, wanted: number) => {
      for (let at = index + step; Math.abs(at - index) < 12 && items[at]; at += step) {
        // Farther away is another column.
        const apart = Math.abs(items[at]!.box[0] - paragraph.box[0])
        if ((apart < 4 || apart > 120) && (numberOf(items[at]!) ?? items[at]!.list?.number) === wanted) return true
      }
      return false
    }
    if (!near(1, number + 1) && !near(-1, number - 1)) continue
    const [mark] = NUMBERED.exec(plainText(paragraph.spans))!
    paragraph.list = { ordered: true, depth: 0, number }
    // Later: the marks of others must still be there to be compared.
    paragraph.spans = [...paragraph.spans]
    Object.assign(paragraph.list, { mark: mark.length })
  }
  let levels: number[] = []
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || !block.list) {
      if (block.kind !== 'paragraph' || block.box[0] < (levels.at(-1) ?? 0) + 4) levels = []
      continue
    }
    const { mark } = block.list as { mark?: number }
    if (mark) shorten(block, mark)
    delete (block.list as { mark?: number }).mark
    const x = block.rtl ? -block.box[2] : block.box[0]
    levels = levels.filter((level) => level <= x + 4)
    if (levels.length === 0 || x > levels.at(-1)! + 4) levels.push(x)
    block.list.depth = Math.min(8, levels.length - 1)
  }
}
