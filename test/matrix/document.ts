import { extname } from 'node:path'
import { comics } from '../../plugins/formats/book.ts'
import { comicPages } from '../fixtures/book.ts'
import { brokenRules } from '../fixtures/pdfa.ts'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { cells, recall, said } from '../fixtures/story.ts'
import { withFolder } from '../harness/folder.ts'
import { picturesIn } from './book.ts'
import { expectBundle } from './bundle.ts'
import { decode } from './decode.ts'
import { cellsOf, tabular } from './document/cells.ts'
import { pictureOf, plotOf } from './document/pages.ts'
import { distilled, readPage, samePages } from './document/postscript.ts'
import { members, textOf } from './document/text.ts'
import { greensOf } from './ebook.ts'
import { expectLike } from './likeness.ts'
import { likeSolid } from './silhouette.ts'
import { Unlike } from './verdict.ts'

/** Words that may be lost. No sample is so long that this would allow two. */
const LEAST = 0.98

/** Minimum likeness in dB of a picture on a page. */
const LIKE = 27

/**
 * Compares a document with its source: words, cells, pages, picture.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyDocument(path: string, target: string, source: Sample): Promise<void> {
  const to = target.replace(/^.+\.pdf$/, 'pdf')
  if (target === 'pdfa.pdf') await expectArchive(path)
  if (target === 'md.zip') await expectBundle(path)
  if (to === 'ps') return printed(path, source)
  const pages = to === 'pdf' ? await soundPages(path) : await slidesOf(path, to)
  if (comics.includes(extname(source.path).slice(1))) return album(path, pages)
  if (source.solid && to === 'pdf') return modelled(path, source)
  if (source.content === 'picture' && to === 'pdf') return pictured(path, source, pages)
  if (pages !== undefined && source.content === 'slides' && pages !== source.pages)
    throw new Unlike(`${pages} pages instead of ${source.pages}`)
  if (source.content === 'table' && tabular(to)) {
    const got = JSON.stringify(await cellsOf(path, to))
    if (got !== JSON.stringify(cells)) throw new Unlike(`other cells: ${got}`)
    return
  }
  const text = await textOf(path, to)
  // The text of a picture is in a text layer behind it.
  const wanted = said[source.content === 'picture' ? 'slides' : source.content]
  expectWords(text, wanted)
}

/** Throws `Unlike` if a PDF breaks a rule of PDF/A. */
async function expectArchive(path: string): Promise<void> {
  const broken = await brokenRules(path)
  if (broken.length > 0) throw new Unlike(`no PDF/A: ${broken.join('; ')}`)
}

/** Throws `Unlike` if too many of the wanted words are missing in a text. */
function expectWords(text: string, wanted: ReadonlySet<string>): void {
  const share = recall(text, wanted)
  if (share >= LEAST) return
  const lost = [...wanted].filter((word) => recall(text, new Set([word])) === 0)
  throw new Unlike(`${Math.round(share * 100)} % of the words, without ${lost.slice(0, 8).join(' ')}`)
}

/** Checks every page of a printed comic, in order: each is a darker green. */
const album = (path: string, pages?: number): Promise<void> =>
  withFolder(async (scratch) => {
    if (pages !== comicPages) throw new Unlike(`${pages} pages instead of ${comicPages}`)
    await program('pdftoppm', '-png', '-r', '30', path, `${scratch}/page`)
    for (const [index, green] of (await greensOf(await picturesIn(scratch))).entries())
      if (Math.abs(green - (220 - 60 * index)) > 12) throw new Unlike(`page ${index + 1} is ${green} green`)
  })

/** Checks a page that shows a model. */
const modelled = (path: string, source: Sample): Promise<void> =>
  withFolder(async (scratch) => {
    await program('pdftoppm', '-png', '-singlefile', '-r', '150', path, `${scratch}/page`)
    return likeSolid(await decode(`${scratch}/page.png`, 'png'), source.path.split('.').at(-1)!)
  })

/** Sources without a layout of their own: other programs set them on pages in other ways. */
const unlaid = /\.(csv|txt)$/

/** Text cannot be extracted from PostScript, so its pages must look right, or their words must be readable. */
const printed = (path: string, source: Sample): Promise<void> =>
  withFolder(async (scratch) => {
    const pdf = await distilled(path, scratch)
    if (source.content === 'picture') return pictured(pdf, source, await soundPages(pdf))
    if (!unlaid.test(source.path)) return samePages(pdf, source, scratch)
    // Tesseract reads English here, so only words in ASCII count.
    const wanted = new Set(
      [...said[source.content === 'table' ? 'table' : 'text']].filter((word) => /^[!-~]+$/.test(word)),
    )
    expectWords(await readPage(pdf, scratch), wanted)
  })

/** Returns the number of pages of a PDF in which qpdf finds no error. */
async function soundPages(path: string): Promise<number> {
  await program('qpdf', '--check', path)
  return Number((await program('qpdf', '--show-npages', path)).toString())
}

const shows = ['pptx', 'pptm', 'ppsx', 'potx']

/** Returns the number of slides of a presentation; undefined for other documents. */
async function slidesOf(path: string, to: string): Promise<number | undefined> {
  const slide = shows.includes(to) ? /<p:sldId\b/g : /<draw:page\s/g
  if (shows.includes(to)) return (await members(path, 'ppt/presentation.xml')).match(slide)?.length
  return to === 'odp' ? (await members(path, 'content.xml')).match(slide)?.length : undefined
}

async function pictured(path: string, source: Sample, pages: number | undefined): Promise<void> {
  const wanted = source.animated ? 1 : source.pages
  if (pages !== wanted) throw new Unlike(`${pages} pages instead of ${wanted}`)
  return withFolder(async (scratch) => {
    const plotted = /\.(dxf|dwg)$/.test(source.path)
    const picture = await (plotted ? plotOf : pictureOf)(path, scratch, source)
    const tones = source.tones === 'colour' ? 'colour' : 'grey'
    await expectLike(picture, source, LIKE, { tones, square: source.width === source.height })
  })
}
