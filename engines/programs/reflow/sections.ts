import { around, type Block, type Box, height, type Page, type Section, type Word, width } from './model.ts'

/** Portrait sizes of paper in points: A3 to A6, B5, Letter, Legal, Tabloid. */
const PAPERS = [
  [841.89, 1190.55],
  [595.28, 841.89],
  [419.53, 595.28],
  [297.64, 419.53],
  [498.9, 708.66],
  [612, 792],
  [612, 1008],
  [792, 1224],
] as const

/** The size of the paper that pages are meant for: programs round it. */
function paper(wide: number, high: number): [number, number] {
  const [short, long] = wide < high ? [wide, high] : [high, wide]
  const found = PAPERS.find(([a, b]) => Math.abs(a - short) < 2 && Math.abs(b - long) < 2)
  if (!found) return [wide, high]
  return wide < high ? [found[0], found[1]] : [found[1], found[0]]
}

/** Pages of one size after each other, with the margins around their text. */
export function sectionsOf(pages: readonly (Page | null)[], blocks: Block[][], running: ReadonlySet<Word>): Section[] {
  const sections: (Section & { areas: Box[] })[] = []
  for (const [index, page] of pages.entries()) {
    if (!page) continue
    const [wide, high] = paper(width(page.bounds), height(page.bounds))
    const [x, y] = page.bounds
    const inked = [
      ...page.words.filter((word) => !running.has(word)).map(({ box }) => box),
      ...page.pictures.map(({ box }) => box),
    ]
    const areas =
      inked.length > 0 ? [around(inked)].map(([x0, y0, x1, y1]): Box => [x0 - x, y0 - y, x1 - x, y1 - y]) : []
    const last = sections.at(-1)
    if (last && Math.abs(last.width - wide) < 2 && Math.abs(last.height - high) < 2) {
      last.pages.push(blocks[index]!)
      last.numbers.push(index + 1)
      last.areas.push(...areas)
    } else {
      const pages = { pages: [blocks[index]!], numbers: [index + 1] }
      sections.push({ width: wide, height: high, margins: [72, 72, 72, 72], ...pages, areas })
    }
  }
  return sections.map(({ areas, ...section }) => {
    if (areas.length === 0) return section
    const [x0, y0, x1, y1] = around(areas)
    const side = (margin: number, whole: number) => Math.min(0.25 * whole, Math.max(18, margin))
    const left = side(x0, section.width)
    const right = Math.min(side(section.width - x1, section.width), left + 36)
    const top = side(y0, section.height)
    return { ...section, margins: [left, top, right, Math.min(side(section.height - y1, section.height), top + 24)] }
  })
}
