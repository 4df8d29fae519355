import { readFile } from 'node:fs/promises'
import { program } from '../../fixtures/program.ts'
import { paperOf } from '../paper.ts'
import { millimetres, pageLayout } from './opendocument.ts'
import { all, type Element, parse, tidy, words } from './tree.ts'

/** What a reader finds in slides. */
export interface Show {
  /** Words of each slide, without notes. */
  slides: readonly string[]
  /** The title of each slide; undefined if the format does not tell it. */
  titles?: readonly string[]
  /** Width and height in millimetres. */
  size: readonly [number, number]
}

const text = async (path: string, name: string) => (await program('unzip', '-p', path, name)).toString()
const joined = (element: Element, name: string) => said(all(element, name))
const said = (elements: readonly Element[]) => tidy(elements.map((one) => words(one)).join(' '))

/** Reads PresentationML (ECMA-376 part 1, §19): slides in the order of the presentation. */
async function powerPoint(path: string): Promise<Show> {
  const presentation = parse(await text(path, 'ppt/presentation.xml'))
  const links = all(parse(await text(path, 'ppt/_rels/presentation.xml.rels')), 'Relationship')
  const slides = await Promise.all(
    all(presentation, 'p:sldId').map(async ({ attributes }) => {
      const target = links.find((link) => link.attributes.Id === attributes['r:id'])!.attributes.Target!
      return parse(await text(path, target.startsWith('/') ? target.slice(1) : `ppt/${target}`))
    }),
  )
  const isTitle = (shape: Element) =>
    all(shape, 'p:ph').some(({ attributes }) => /^(title|ctrTitle)$/.test(attributes.type ?? ''))
  const { cx, cy } = all(presentation, 'p:sldSz')[0]!.attributes
  return {
    slides: slides.map((slide) => joined(slide, 'a:p')),
    titles: slides.map((slide) =>
      said(
        all(slide, 'p:sp')
          .filter(isTitle)
          .flatMap((shape) => all(shape, 'a:p')),
      ),
    ),
    size: [Number(cx) / 36_000, Number(cy) / 36_000],
  }
}

/** Reads OpenDocument presentations. */
function opened(content: Element, styles: Element): Show {
  const pages = all(content, 'draw:page')
  const shown = (page: Element): Element => ({
    ...page,
    children: page.children.filter((child) => typeof child === 'string' || child.name !== 'presentation:notes'),
  })
  const sheet = pageLayout(styles, pages[0]?.attributes['draw:master-page-name'])
  const isTitle = ({ attributes }: Element) => attributes['presentation:class'] === 'title'
  return {
    slides: pages.map((page) => joined(shown(page), 'text:p')),
    titles: pages.map((page) =>
      said(
        all(page, 'draw:frame')
          .filter(isTitle)
          .flatMap((frame) => all(frame, 'text:p')),
      ),
    ),
    size: [millimetres(sheet['fo:page-width']), millimetres(sheet['fo:page-height'])],
  }
}

async function printed(path: string): Promise<Show> {
  const laid = (await program('pdftotext', path, '-')).toString()
  const [across, down] = await paperOf(path)
  return { slides: laid.split('\f').slice(0, -1).map(tidy), size: [across * 25.4, down * 25.4] }
}

/** Readers of slides by format. */
export const shows: Readonly<Record<string, (path: string) => Promise<Show>>> = {
  pptx: powerPoint,
  pptm: powerPoint,
  ppsx: powerPoint,
  potx: powerPoint,
  pdf: printed,
  odp: async (path) => opened(parse(await text(path, 'content.xml')), parse(await text(path, 'styles.xml'))),
  fodp: async (path) => {
    const tree = parse(await readFile(path, 'utf8'))
    return opened(tree, tree)
  },
}
