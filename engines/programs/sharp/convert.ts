import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from './encode.ts'
import { moves, type Picture, pictures } from './source.ts'
import { type Convert, type ConvertedPage, pageFile, zipOverhead } from './spec.ts'
import { joinTiffs } from './tiff.ts'
import { zip } from './zip.ts'

/** Performs a spec: makes one file, one file with all pages, or several files and their zip. */
export async function convert(spec: Convert, report: (done: number) => void): Promise<ConvertedPage[]> {
  const pages = await pictures(spec)
  if (pages.length === 1 && spec.output) return [await converted(await pages[0]!(), spec, spec.output)]
  await mkdir(spec.folder, { recursive: true })
  const share = shared(spec, pages.length)
  const files = pages.map((_, index) => join(spec.folder, pageFile(index, spec.to)))
  const made: ConvertedPage[] = []
  for (const [index, page] of pages.entries()) {
    made.push(await converted(await page(), share, files[index]!))
    report((index + 1) / pages.length)
  }
  if (!spec.output) return made
  if (spec.to === 'tif') await joinTiffs(files, spec.output)
  else await zip({ files, name: spec.zip!.name, output: spec.zip!.output })
  await rm(spec.folder, { recursive: true })
  return made
}

async function converted(picture: Picture, spec: Convert, file: string): Promise<ConvertedPage> {
  const made = await encode(picture, spec, file)
  const { width, height, meta, animation } = picture
  const frames = animation?.frames ?? (moves(meta) ? meta.pages : undefined)
  return { ...made, source: { width, height, alpha: meta.hasAlpha, frames, kept: animation?.frames } }
}

/** The size limit and the time for one page of several. */
function shared(whole: Convert, pages: number): Convert {
  if (pages === 1) return whole
  const spec = { ...whole, encoding: { ...whole.encoding, pages } }
  const { limit } = spec.encoding
  if (limit === undefined) return spec
  const room = Math.max(0, limit - (spec.zip ? zipOverhead(spec.zip.name, pages) : 0))
  return { ...spec, encoding: { ...spec.encoding, limit: Math.floor(room / pages) } }
}
