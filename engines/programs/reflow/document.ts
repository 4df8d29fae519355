import { blocksOf, gridsOn } from './flow.ts'
import { bodySize, nameHeadings } from './headings.ts'
import { join } from './joining.ts'
import { mainSize } from './lines.ts'
import { markCode, shadesOf } from './listings.ts'
import { nameLists } from './lists.ts'
import { type Document, height, type Page, type Title, type Word } from './model.ts'
import { linkNotes } from './notes.ts'
import { runningOf } from './running.ts'
import { sectionsOf } from './sections.ts'
import { breaksOf } from './spans.ts'

/**
 * Makes a document that flows out of the pages of a PDF.
 *
 * @param paged whether each page stays as it is: nothing is joined with the next page, and notes stay at its bottom
 */
export function documentOf(pages: readonly (Page | null)[], outline: readonly Title[], paged = false): Document {
  markCode(pages)
  const all = pages.flatMap((page) => page?.words ?? [])
  const max = mainSize(all)
  const breaks = breaksOf(all)
  const parted = pages.map((whole) => {
    if (!whole) return null
    const shades = shadesOf(whole)
    const page = { ...whole, boxes: whole.boxes.filter((box) => !shades.has(box)) }
    return { page, shades: [...shades], ...gridsOn(page, max) }
  })
  const running = runningOf(
    parted.map((one) => one && { ...one.page, words: one.words }),
    breaks,
  )
  const found = parted.map((one) => {
    if (!one) return []
    return blocksOf(
      one.page,
      one.words.filter((word) => !running.words.has(word)),
      one,
      max,
      breaks,
      paged,
    )
  })
  const size = bodySize(found.flat(), max)
  const blocks = found.map((page, index) => {
    const bounds = pages[index]?.bounds
    return paged || !bounds ? page : linkNotes(page, size, bounds[1] + 0.45 * height(bounds))
  })
  if (!paged) join(blocks)
  nameHeadings(blocks.flat(), outline, size)
  nameLists(blocks.flat())
  const { header, footer, plainFirst, firstNumber } = running
  const sections = sectionsOf(pages, blocks, running.words)
  return { sections, size, font: fontOf(all), header, footer, plainFirst, firstNumber }
}

function fontOf(words: readonly Word[]): string {
  const letters = new Map<string, number>()
  for (const { font, text } of words) letters.set(font, (letters.get(font) ?? 0) + text.length)
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}
