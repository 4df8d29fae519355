import { ghostscript } from '../../engines/ghostscript.ts'
import { pdfinfo, pdftocairo, pdftops } from '../../engines/poppler.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { failure } from './failure.ts'
import type { VectorOptions } from './options.ts'
import type { Reader, Shortcut } from './stages.ts'

/** Pages of one document that become drawings; above it, RESOURCE_LIMIT. */
const MOST = 1000

type Make = (first: number, output: string) => Promise<unknown>

/** Makes a file of each page of a pdf, and gives their paths. */
async function each(job: Job<VectorOptions>, run: Run, input: string, extension: string, make: Make) {
  const lines = await run(pdfinfo, [], { input })
  const pages = Number(lines.findLast((line) => line.startsWith('Pages:'))?.slice(6))
  if (!(pages >= 1)) throw failure('CONVERSION_ERROR', 'The document has no pages')
  if (pages > MOST)
    throw failure('RESOURCE_LIMIT', `The document has ${pages} pages; ${MOST} can become drawings at a time`)
  const files: string[] = []
  for (let page = 1; page <= pages; page++) {
    const output = `${job.scratch}/page-${page}.${extension}`
    await make(page, output)
    files.push(output)
  }
  return files
}

const only = (page: number) => ['-f', page, '-l', page]

/** `-r`: dots an inch of what a page makes a picture of, such as blended colours. */
export const toSvg = (job: Job<VectorOptions>, run: Run, input: string) =>
  each(job, run, input, 'svg', (page, output) =>
    run(pdftocairo, ['-svg', only(page), '-r', job.options.density], { input, output }),
  )

const toEps = (job: Job<VectorOptions>, run: Run, input: string) =>
  each(job, run, input, 'eps', (page, output) =>
    run(pdftops, ['-eps', only(page), '-r', job.options.density], { input, output }),
  )

/** PostScript as pdf, and where it lies. A drawing (`crop`) is cut to its box. */
export async function distil(job: Job<VectorOptions>, run: Run, crop: boolean): Promise<string> {
  const pdf = `${job.scratch}/distilled.pdf`
  const last = `-dLastPage=${crop ? 1 : MOST + 1}`
  await run(ghostscript, ['-sDEVICE=pdfwrite', crop && '-dEPSCrop', '-dFirstPage=1', last], { output: pdf })
  return pdf
}

const distilled =
  (crop: boolean, next: typeof toSvg) =>
  async (job: Job<VectorOptions>, run: Run): Promise<string[]> =>
    next(job, run, await distil(job, run, crop))

const straight = (next: typeof toSvg) => (job: Job<VectorOptions>, run: Run) => next(job, run, job.input)

const pdf = { from: ['pdf', 'ai'], paged: true } as const
const encapsulated = { engine: ghostscript, from: ['eps', 'ai'] } as const
const postscript = { engine: ghostscript, from: ['ps'], paged: true } as const

/** Illustrator's files are pdf inside; those before version 9 are PostScript, and the second reader's. */
export const pageReaders: readonly Reader[] = [
  { ...pdf, engine: pdftocairo, uses: [pdfinfo], read: straight(toSvg) },
  { ...encapsulated, uses: [pdfinfo, pdftocairo], read: distilled(true, toSvg) },
  { ...postscript, uses: [pdfinfo, pdftocairo], read: distilled(false, toSvg) },
]

/** Encapsulated PostScript, which keeps text as text. */
export const pageShortcuts: readonly Shortcut[] = [
  { ...pdf, engine: pdftops, uses: [pdfinfo], to: ['eps'], make: straight(toEps) },
  { ...encapsulated, from: ['ai'], uses: [pdfinfo, pdftops], to: ['eps'], make: distilled(true, toEps) },
  { ...postscript, uses: [pdfinfo, pdftops], to: ['eps'], make: distilled(false, toEps) },
]
