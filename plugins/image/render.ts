import { pdfinfo, pdftoppm } from '../../engines/poppler.ts'
import type { Engine } from '../../kernel/contract.ts'
import type { ImageStep } from './facts.ts'
import { resolution, type Size } from './resolution.ts'

/** Number of pages per request: their sizes must fit into the output lines of a run. */
export const AT_ONCE = 50

/**
 * Most pixels of all pages together that are passed on without compression: 96 MB. poppler takes eight times as long to
 * compress a page of text as to draw it.
 */
const LOOSE = 32_000_000
const UNCOMPRESSED = ['-tiff', '-tiffcompression', 'none']

/**
 * Renders the known pages of a pdf, each at the resolution that fills the box. The page sizes determine how often the
 * engine runs. An earlier step may tell the sizes of the first pages, `more.sizes`.
 */
export const render = (engine: Engine, ...more: string[]): ImageStep => ({
  engine,
  uses: [pdfinfo],
  output: 'decoded/page',
  convert: async ({ options }, run, { facts }) => {
    const { length } = facts.pages
    for (let first = 1; first <= length; first += AT_ONCE) {
      const last = Math.min(first + AT_ONCE - 1, length)
      const told = first === 1 ? facts.more?.sizes : undefined
      const sizes = told ?? sizesIn(await run(pdfinfo, ['-f', first, '-l', last]), first, last)
      const groups = alike(sizes, first).map((group) => ({ ...group, dots: resolution(group.size, options) }))
      const loose = engine === pdftoppm && length <= AT_ONCE && pixelsOf(groups) <= LOOSE
      for (const { from, to, dots } of groups)
        await run(engine, ['-f', from, '-l', to, loose ? UNCOMPRESSED : '-png', '-cropbox', more, '-r', dots])
    }
    return undefined
  },
})

/** Reads the sizes of pages that `pdfinfo` printed, in points, as displayed. */
export function sizesIn(lines: readonly string[], first: number, last: number): Size[] {
  const sizes: Size[] = []
  for (const line of lines) {
    const [, page, key, value] = /^Page +(\d+) (size|rot): +(.*)$/.exec(line) ?? []
    const at = Number(page) - first
    if (!(at >= 0 && at <= last - first)) continue
    const [width, height] = value!.split(' x ').map(Number.parseFloat)
    const { [at]: size } = sizes
    if (key === 'size') sizes[at] = { width: width!, height: height! }
    else if (size && Number(value) % 180 !== 0) sizes[at] = { width: size.height, height: size.width }
  }
  return sizes
}

const pixelsOf = (groups: readonly { from: number; to: number; size: Size; dots: number }[]) =>
  groups.reduce(
    (sum, { from, to, size, dots }) => sum + (to - from + 1) * size.width * size.height * (dots / 72) ** 2,
    0,
  )

/** Groups of consecutive pages with one size. */
function alike(sizes: readonly Size[], first: number) {
  const runs: { from: number; to: number; size: Size }[] = []
  for (const [index, size] of sizes.entries()) {
    const last = runs.at(-1)
    if (last?.size.width === size.width && last.size.height === size.height) last.to = first + index
    else runs.push({ from: first + index, to: first + index, size })
  }
  return runs
}
