import { ddjvu, djvused } from '../../engines/djvulibre.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { pdfinfo, pdftocairo, pdftoppm } from '../../engines/poppler.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import type { Decoder, Wanted } from './codec.ts'
import { failure } from './failure.ts'
import type { ImageOptions } from './options.ts'
import { resolution, type Size } from './resolution.ts'

/** Pages of one document that become pictures; above it, RESOURCE_LIMIT. */
const MOST = 1000

/** Pages asked for at a time: their sizes must fit into the lines that a run returns. */
const AT_ONCE = 50

const tooMany = (pages: number) =>
  failure('RESOURCE_LIMIT', `The document has ${pages} pages; ${MOST} can become pictures at a time`)

/** Renders the pages of a pdf, each at the resolution that fills the box; `clear` leaves the paper out. */
async function render(job: Job<ImageOptions>, run: Run, wanted: Wanted, input: string, clear = false) {
  const pages = wanted.pages === 'first' ? 1 : await count(run, input)
  const engine = clear ? pdftocairo : pdftoppm
  for (let first = 1; first <= pages; first += AT_ONCE) {
    const sizes = await measure(run, input, first, Math.min(first + AT_ONCE - 1, pages))
    for (const { from, to, size } of alike(sizes, first)) {
      const dots = resolution(size, wanted, job.options.fit)
      const files = ['-f', from, '-l', to, '-png', '-cropbox', clear && '-transp']
      await run(engine, [files, '-r', dots], { input, output: `${wanted.folder}/page` })
    }
  }
}

/** The number of pages. The document's own words come first in the list, so the last line of a kind is poppler's. */
async function count(run: Run, input: string) {
  const lines = await run(pdfinfo, [], { input })
  const pages = Number(lines.findLast((line) => line.startsWith('Pages:'))?.slice(6))
  if (!(pages >= 1)) throw failure('CONVERSION_ERROR', 'The document has no pages')
  if (pages > MOST) throw tooMany(pages)
  return pages
}

/** Sizes of pages in points, as they are shown. */
async function measure(run: Run, input: string, first: number, last: number): Promise<Size[]> {
  const lines = await run(pdfinfo, ['-f', first, '-l', last], { input })
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

/** Runs of pages with one size. */
function alike(sizes: readonly Size[], first: number) {
  const runs: { from: number; to: number; size: Size }[] = []
  for (const [index, size] of sizes.entries()) {
    const last = runs.at(-1)
    if (last?.size.width === size.width && last.size.height === size.height) last.to = first + index
    else runs.push({ from: first + index, to: first + index, size })
  }
  return runs
}

/** Pictures inside keep every pixel and are not compressed again. */
const FAITHFUL = [
  ...['-dAutoFilterColorImages=false', '-dAutoFilterGrayImages=false'],
  ...['-dColorImageFilter=/FlateEncode', '-dGrayImageFilter=/FlateEncode'],
  ...['-dDownsampleColorImages=false', '-dDownsampleGrayImages=false', '-dDownsampleMonoImages=false'],
]

/** PostScript by way of pdf. A drawing (`crop`) is cut to its box and stands on no paper. */
const postscript = (from: readonly string[], crop: boolean): Decoder => ({
  engine: ghostscript,
  uses: [pdfinfo, pdftocairo, pdftoppm],
  from,
  paged: !crop,
  decode: async (job, run, wanted) => {
    const pdf = `${job.scratch}/postscript.pdf`
    const last = ['-dFirstPage=1', `-dLastPage=${crop || wanted.pages === 'first' ? 1 : MOST + 1}`]
    await run(ghostscript, ['-sDEVICE=pdfwrite', FAITHFUL, crop && '-dEPSCrop', last], { output: pdf })
    await render(job, run, crop ? { ...wanted, pages: 'first' } : wanted, pdf, crop)
  },
})

export const pageDecoders: readonly Decoder[] = [
  {
    engine: pdftoppm,
    uses: [pdfinfo, pdftocairo],
    from: ['pdf'],
    paged: true,
    decode: (job, run, wanted) => render(job, run, wanted, job.input),
  },
  {
    // Most files of this kind are pdf inside; older ones are PostScript, and the next decoder's.
    engine: pdftocairo,
    uses: [pdfinfo, pdftoppm],
    from: ['ai'],
    paged: true,
    decode: (job, run, wanted) => render(job, run, wanted, job.input, true),
  },
  postscript(['eps', 'ai'], true),
  postscript(['ps'], false),
  {
    engine: ddjvu,
    uses: [djvused],
    from: ['djvu'],
    paged: true,
    decode: async (_, run, { folder, pages }) => {
      const last = pages === 'first' ? 1 : Number((await run(djvused, ['n'])).at(-1))
      if (last > MOST) throw tooMany(last)
      return run(ddjvu, ['-format=tiff', '-eachpage', `-page=1-${last}`], { output: `${folder}/%04d.tif` })
    },
  },
]
