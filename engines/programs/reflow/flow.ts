import { alignedGrids } from './aligned.ts'
import { bordered } from './borders.ts'
import { divided } from './dividing.ts'
import { fill, type Grid, overlap, ruledGrids } from './grid.ts'
import { joinColumns, joinTouching } from './joining.ts'
import { type Line, linesOf, mainSize } from './lines.ts'
import { isListing, listingOf, listingsIn } from './listings.ts'
import { bookGrids, shadedGrids } from './loose.ts'
import {
  around,
  type Block,
  type Box,
  centred,
  type Drawn,
  height,
  type Image,
  type Page,
  type Paragraph,
  type Picture,
  type Word,
  width,
} from './model.ts'
import { paragraphsOf } from './paragraphs.ts'
import { regions } from './regions.ts'
import { type Rule, type Rules, rulesOf } from './rules.ts'
import { type Breaks, spansOf } from './spans.ts'
import { stripsOf } from './strips.ts'
import { tableOf } from './tables.ts'

/** Stands for a table or picture among the words of a page. */
const PLACE = '\ufffc'.repeat(30)

const place = (box: Box, size: number): Word => ({
  text: PLACE,
  box,
  base: box[1] + 0.8 * size,
  size,
  font: '',
  colour: 0,
  turn: 0,
  spaced: true,
})

/** Tables of a page, and the words that are in none. */
export function gridsOn(page: Page, body: number): { grids: (Grid & { ruled: boolean })[]; words: Word[] } {
  const level = { ...page, words: page.words.filter(({ turn }) => turn === 0) }
  const ruled = ruledGrids(page, body).sort((a, b) => width(a.box) * height(a.box) - width(b.box) * height(b.box))
  const shaded = shadedGrids(level, body, ruled)
  const book = bookGrids(level, body, [...ruled, ...shaded])
  const grids = [
    ...ruled.map((grid) => ({ ...grid, ruled: true })),
    ...[...shaded, ...book].map((grid) => ({ ...grid, ruled: false })),
  ]
  let words = [...page.words]
  const filled = grids.flatMap((grid) => {
    for (const cell of grid.cells) cell.words = []
    const rest = fill(grid, words, page.boxes)
    if (isListing(grid)) return []
    words = rest
    // Without the words of tables within it.
    return grid.ruled ? { ...grid, ...divided(grid) } : grid
  })
  return { grids: filled, words }
}

function picturesOn(page: Page, grids: readonly Grid[]): Image[] {
  const figures = page.figures.filter(({ src, box }) => src && !grids.some((grid) => overlap(grid.box, box)))
  const words = page.words.length
  return [
    ...figures,
    ...page.pictures.filter(({ src, box }) => {
      const behind =
        width(box) * height(box) > 0.8 * width(page.bounds) * height(page.bounds) &&
        (words > 20 || (page.hidden && words > 0))
      return src && width(box) > 8 && height(box) > 8 && !behind && !figures.some((figure) => centred(box, figure.box))
    }),
  ]
}

/** The blocks of a page in reading order. */
export function blocksOf(
  page: Page,
  words: readonly Word[],
  { grids, shades }: { grids: readonly (Grid & { ruled: boolean })[]; shades: readonly Drawn[] },
  body: number,
  breaks: Breaks,
  paged: boolean,
): Block[] {
  const pictures = picturesOn(page, grids)
  const free = words.filter(({ box }) => !pictures.some((one) => page.figures.includes(one) && centred(box, one.box)))
  const area = free.length > 0 ? around(free.map(({ box }) => box)) : page.bounds
  const places = new Map<Word, Block>()
  const strips = stripsOf(page, body)
  const rules = rulesOf(page)
  for (const grid of grids)
    if (grid.cells.some(({ words }) => words.length > 0))
      places.set(place(grid.box, body), tableOf(grid, grid.ruled, breaks, rules, area))
  for (const { box, src } of pictures) {
    const before = box[0] - area[0]
    const after = area[2] - box[2]
    const align = before > 20 && Math.abs(before - after) < 0.1 * width(area) ? 'center' : 'left'
    places.set(place(box, body), { kind: 'picture', src: src!, box, align } satisfies Picture)
  }
  const level = [...free.filter(({ turn }) => turn === 0), ...places.keys()]
  const turned = free.filter(({ turn }) => turn !== 0)
  const columns = regions(level).map((part) =>
    joinTouching(flow(linesOf(part), places, area, body, breaks, { strips, rules, shades })),
  )
  const blocks = paged ? columns.flat() : joinColumns(columns)
  return [...bordered(blocks, rules.across, area), ...turnedBlocks(turned, area, breaks)]
}

/** Text that runs up, down or aslant, after the rest. */
function turnedBlocks(words: readonly Word[], area: Box, breaks: Breaks): Paragraph[] {
  if (words.length === 0) return []
  const sorted = words.map((word, index) => ({ ...word, box: [index * 100, 0, index * 100 + 99, 10] as Box, base: 8 }))
  const line: Line = { words: sorted, base: 8, size: mainSize(words), box: around(words.map(({ box }) => box)) }
  return [{ kind: 'paragraph', spans: spansOf([line], breaks), size: line.size, align: 'left', rtl: false, box: area }]
}

/** Whether a picture stands beside lines instead of between them. */
const beside = (line: Line, { box }: Block) => line.base > box[1] && line.base < box[3] + 0.5 * line.size

/** Paragraphs, tables without lines, and what stands between them. Pictures beside a paragraph do not part it. */
function flow(
  lines: readonly Line[],
  places: ReadonlyMap<Word, Block>,
  area: Box,
  body: number,
  breaks: Breaks,
  { strips, rules, shades }: { strips: readonly Rule[]; rules: Rules; shades: readonly Drawn[] },
): Block[] {
  const prose = (lines: readonly Line[], among: readonly Line[]) => {
    const paragraphs = (from: number, to?: number) => {
      const some = lines.slice(from, to)
      return paragraphsOf(some, area, breaks, false, among.length > lines.length ? among : some)
    }
    let done = 0
    const made: Block[] = []
    for (const { grid, from, to } of alignedGrids(lines, strips)) {
      made.push(...paragraphs(done, from), tableOf(grid, false, breaks, rules, area))
      done = to
    }
    return [...made, ...paragraphs(done)]
  }
  const blocks: Block[] = []
  let open: Line[] = []
  let floats: Block[] = []
  const close = () => {
    const parts = listingsIn(open, shades)
    const text = parts.flatMap(({ isListing, lines }) => (isListing ? [] : lines))
    const made = parts.flatMap(({ isListing, lines }) => (isListing ? [listingOf(lines, area)] : prose(lines, text)))
    for (const float of floats) {
      const at = made.findIndex(({ box }) => box[3] > float.box[1])
      // A picture at the end of a line is after it.
      const after =
        at >= 0 &&
        made[at]!.box[1] > float.box[1] &&
        made[at]!.box[3] - made[at]!.box[1] < 2 * body &&
        made[at]!.box[2] <= float.box[0] + 2
      made.splice(at < 0 ? made.length : at + Number(after), 0, float)
    }
    blocks.push(...made)
    ;[open, floats] = [[], []]
  }
  for (const line of lines) {
    const found = line.words.filter((word) => places.has(word)).map((word) => places.get(word)!)
    const words = line.words.filter((word) => !places.has(word))
    for (const block of found) {
      if (block.kind === 'picture' && lines.some((other) => other !== line && beside(other, block))) floats.push(block)
      else {
        close()
        blocks.push(block)
      }
    }
    if (words.length > 0) open.push({ ...line, words, box: around(words.map(({ box }) => box)), size: mainSize(words) })
  }
  close()
  return blocks
}
