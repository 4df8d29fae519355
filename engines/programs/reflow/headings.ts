import type { Block, Paragraph, Title } from './model.ts'
import { plainText } from './spans.ts'

const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const isBold = ({ spans }: Paragraph) => spans.every(({ bold, text }) => bold || !text.trim())

/** Whether a paragraph is short enough for a heading. */
function isShort(paragraph: Paragraph): boolean {
  const text = plainText(paragraph.spans)
  return text.length < 200 && /\p{L}/u.test(text) && !paragraph.list && text.split('\n').length < 4
}

/**
 * Makes headings of paragraphs: those that the outline names, those in larger letters, and bold ones between others.
 *
 * @param size the font size of most letters
 */
export function nameHeadings(blocks: readonly Block[], outline: readonly Title[], size: number): void {
  const titles = new Map(outline.map(({ title, level }) => [key(title), level]))
  const paragraphs = blocks.filter((block): block is Paragraph => block.kind === 'paragraph').filter(isShort)
  const large = paragraphs.filter((paragraph) => paragraph.size > 1.12 * size)
  const sizes = [...new Set(large.map(({ size }) => Math.round(size)))].sort((a, b) => b - a)
  const named = new Map<number, number>()
  for (const paragraph of paragraphs) {
    const text = key(plainText(paragraph.spans))
    const level = titles.get(text) ?? titles.get(text.replace(/^\d+/, ''))
    if (level) paragraph.heading = Math.min(6, level)
    if (level) named.set(Math.round(paragraph.size), Math.min(named.get(Math.round(paragraph.size)) ?? 6, level))
  }
  for (const paragraph of large) {
    const step = Math.round(paragraph.size)
    paragraph.heading ??= Math.min(6, named.get(step) ?? sizes.indexOf(step) + 1)
  }
  const bold = paragraphs.filter((paragraph) => paragraph.heading === undefined && isBold(paragraph))
  if (bold.length > 0.4 * paragraphs.length) return
  const deepest = Math.max(0, ...paragraphs.map(({ heading }) => heading ?? 0))
  for (const paragraph of bold) {
    const next = blocks[blocks.indexOf(paragraph) + 1]
    const text = plainText(paragraph.spans)
    const leads = next?.kind === 'paragraph' ? !isBold(next) : next !== undefined
    if (leads && text.length < 90 && !/[.,;:]$/.test(text) && !text.includes('\n') && paragraph.size >= 0.95 * size)
      paragraph.heading = Math.min(6, deepest + 1)
  }
}
