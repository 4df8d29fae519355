import { partOf } from './articles.ts'
import type { Block, Paragraph, Title } from './model.ts'
import { plainText } from './spans.ts'

const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const isBold = ({ spans }: Paragraph) => spans.every(({ bold, text }) => bold || !text.trim())

const lengthOf = ({ spans }: Paragraph) => spans.reduce((sum, { text }) => sum + text.length, 0)

const paragraphsIn = (blocks: readonly Block[]) =>
  blocks.filter((block): block is Paragraph => block.kind === 'paragraph')

/** What most letters have. */
function usual<T>(letters: readonly (readonly [T, number])[]): [T, number] | undefined {
  const counts = new Map<T, number>()
  for (const [kind, count] of letters) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1])[0]
}

/** Fewest letters of a paragraph that is no heading, and of those that tell how large text is. */
const LONG = 100
const ENOUGH = 200

/** The font size of most letters of long paragraphs: tables have more letters in some documents. */
export function bodySize(blocks: readonly Block[], otherwise: number): number {
  const long = paragraphsIn(blocks).filter((one) => !one.code && lengthOf(one) >= LONG)
  const max = usual(long.map((one) => [Math.round(one.size * 2) / 2, lengthOf(one)] as const))
  return max && max[1] >= ENOUGH ? max[0] : otherwise
}

/** Whether a paragraph is short enough for a heading. */
function isShort(paragraph: Paragraph): boolean {
  const text = plainText(paragraph.spans)
  return !paragraph.code && text.length < 200 && /\p{L}/u.test(text) && !paragraph.list && text.split('\n').length < 4
}

/**
 * Makes headings of paragraphs: those that the outline names, those in larger letters, and bold ones between others.
 *
 * @param size the font size of most letters
 */
export function nameHeadings(blocks: readonly Block[], outline: readonly Title[], size: number): void {
  const titles = new Map(outline.map(({ title, level }) => [key(title), level]))
  const all = paragraphsIn(blocks)
  const paragraphs = all.filter(isShort)
  const spans = all.flatMap((one) => one.spans)
  const ink = usual(spans.map(({ colour, text }) => [colour, text.length] as const))?.[0]
  const large = paragraphs.filter(
    (one) => one.size > 1.12 * size || (one.size > 1.05 * size && one.spans.every(({ colour }) => colour !== ink)),
  )
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
  nameArticles(paragraphs)
  const bold = paragraphs.filter((paragraph) => paragraph.heading === undefined && isBold(paragraph))
  const sum = (list: readonly Paragraph[]) => list.reduce((total, one) => total + lengthOf(one), 0)
  if (sum(bold) > 0.3 * sum(all)) return
  const deepest = Math.max(0, ...paragraphs.map(({ heading }) => heading ?? 0))
  for (const paragraph of bold) {
    const at = blocks.indexOf(paragraph) + 1
    const next = blocks.slice(at, at + 3).find((block) => block.kind !== 'paragraph' || !isBold(block))
    const text = plainText(paragraph.spans)
    if (next && text.length < 90 && !/[.,;:]$/.test(text) && !text.includes('\n') && paragraph.size >= 0.95 * size)
      paragraph.heading = Math.min(6, deepest + 1)
  }
}

/** Makes headings of the titles of articles, such as 第1条: short lines with a number, if there are several. */
function nameArticles(paragraphs: readonly Paragraph[]): void {
  const parts = paragraphs.flatMap((paragraph) => {
    const text = plainText(paragraph.spans)
    const part = partOf(text)
    return part === undefined || text.length > 60 || /[.。;；:：,、]$/.test(text) ? [] : [{ paragraph, part }]
  })
  if (parts.length < 2) return
  const deepest = Math.max(0, ...paragraphs.map(({ heading }) => heading ?? 0))
  const depths = [...new Set(parts.map(({ part }) => part))].sort((a, b) => a - b)
  for (const { paragraph, part } of parts) paragraph.heading ??= Math.min(6, deepest + 1 + depths.indexOf(part))
}
