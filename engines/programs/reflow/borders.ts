import type { Block, Box, Paragraph } from './model.ts'
import type { Rule } from './rules.ts'

/** Greatest distance of a line from its paragraph, and least: nearer ones underline words. In font sizes. */
const REACH = 1.2
const UNDERLINE = 0.05

/** Gives paragraphs the lines that run above or below them along at least half of the text. */
export function bordered(blocks: readonly Block[], across: readonly Rule[], area: Box): Block[] {
  const result = [...blocks]
  for (const { at, from, to, stroke } of across) {
    const isFree = !blocks.some(({ kind, box }) => kind === 'table' && at > box[1] - 4 && at < box[3] + 4)
    if (!stroke || !isFree || to - from < 0.5 * (area[2] - area[0])) continue
    const near = result.flatMap((block, index) => {
      if (block.kind !== 'paragraph' || block.box[2] < from || block.box[0] > to) return []
      const below = at - block.box[3]
      const above = block.box[1] - at
      const distance = Math.max(below, above)
      return distance > UNDERLINE * block.size && distance < REACH * block.size
        ? [{ index, block, distance, side: below > above ? ('below' as const) : ('above' as const) }]
        : []
    })
    const [nearest] = near.sort((a, b) => a.distance - b.distance)
    if (nearest) result[nearest.index] = { ...nearest.block, [nearest.side]: stroke } satisfies Paragraph
  }
  return result
}
