import { type Block, type Document, height, type Paragraph, type Section, width } from '../model.ts'
import { table } from './table.ts'
import type { Parts } from './text.ts'
import { paragraph, twips } from './text.ts'

/** The most points of space above a paragraph. */
const MAX_SPACE = 36

/** An empty paragraph as high as a space, at least 2 points. */
const gap = (space = 2, more = '') =>
  `<w:p><w:pPr>${more}<w:spacing w:before="0" w:after="0" w:line="${twips(Math.max(2, space))}" w:lineRule="exact"/></w:pPr></w:p>`

const NEW_PAGE = '<w:pageBreakBefore/>'

let pictures = 0

/** A picture in a line of its own, in its size on the page. */
function picture(
  block: Extract<Block, { kind: 'picture' }>,
  parts: Parts,
  room: number,
  left: number,
  space: number,
  more: string,
): string {
  const scale = Math.min(1, room / width(block.box))
  const [wide, high] = [width(block.box), height(block.box)].map((side) => Math.round(side * scale * 12700))
  const id = ++pictures
  const shape = `<pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${parts.picture(block.src)}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${wide}" cy="${high}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`
  const inline = `<wp:inline><wp:extent cx="${wide}" cy="${high}"/><wp:docPr id="${id}" name="Picture ${id}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">${shape}</a:graphicData></a:graphic></wp:inline>`
  return `<w:p><w:pPr>${more}<w:spacing w:before="${twips(space)}" w:after="0"/>${block.align === 'center' ? '<w:jc w:val="center"/>' : `<w:ind w:left="${twips(Math.max(0, Math.min(block.box[0] - left, room - width(block.box) * scale)))}"/>`}</w:pPr><w:r><w:drawing>${inline}</w:drawing></w:r></w:p>`
}

/** Points between a block and the one above it, without those that belong to its lines. */
function spaceAbove(block: Block, above: Block | undefined): number {
  if (!above) return block.kind === 'paragraph' && block.heading ? 6 : 0
  const lead = block.kind === 'paragraph' ? (block.pitch ?? 1.25 * block.size) - block.size : 0
  const space = block.box[1] - above.box[3] - lead
  return space < 0 ? (block.kind === 'paragraph' && block.heading ? 6 : 0) : Math.min(MAX_SPACE, space)
}

/** Whether a page began on purpose: the one before has room left, or it begins with a heading. */
function isBroken(before: readonly Block[], page: readonly Block[], { height: high, margins }: Section): boolean {
  const last = Math.max(...before.map(({ box }) => box[3]))
  const [first] = page
  const room = (high - margins[3] - last) / (high - margins[1] - margins[3])
  return room > 0.15 || (first?.kind === 'paragraph' && (first.heading ?? 9) < 3)
}

/** The blocks of a section, with page breaks where pages began on purpose. */
export function sectionBody(section: Section, parts: Parts): string {
  const room = section.width - section.margins[0] - section.margins[2]
  let before: readonly Block[] | undefined
  const body: string[] = []
  for (const page of section.pages) {
    const broken = before !== undefined && page.length > 0 && isBroken(before, page, section)
    for (const [index, block] of page.entries()) {
      const more = broken && index === 0 ? NEW_PAGE : ''
      const space = spaceAbove(block, page[index - 1])
      if (block.kind === 'paragraph') body.push(paragraph(block, parts, space, more))
      else if (block.kind === 'picture') body.push(picture(block, parts, room, section.margins[0], space, more))
      else {
        if (more || space > 3) body.push(gap(space, more))
        body.push(table(block, parts, room), gap())
      }
    }
    if (page.length > 0) before = page
  }
  return body.join('\n')
}

/** The properties of a section: paper, margins, header and footer. */
export function sectionProperties(section: Section, document: Document, first: boolean): string {
  const { width: wide, height: high, margins } = section
  const [left, top, right, bottom] = margins.map(twips)
  const turned = wide > high ? ' w:orient="landscape"' : ''
  const edges = [
    document.header.length > 0 && '<w:headerReference w:type="default" r:id="header"/>',
    document.footer.length > 0 && '<w:footerReference w:type="default" r:id="footer"/>',
  ]
  const number = first && document.firstNumber !== 1 ? `<w:pgNumType w:start="${document.firstNumber}"/>` : ''
  const edge = (list: readonly Paragraph[], place: (box: Paragraph['box']) => number) =>
    twips(list.length > 0 ? Math.max(14, Math.min(...list.map(({ box }) => place(box)))) : 36)
  const header = edge(document.header, (box) => box[1])
  const footer = edge(document.footer, (box) => high - box[3])
  return `<w:sectPr>${edges.filter(Boolean).join('')}<w:type w:val="nextPage"/><w:pgSz w:w="${twips(wide)}" w:h="${twips(high)}"${turned}/><w:pgMar w:top="${top}" w:right="${right}" w:bottom="${bottom}" w:left="${left}" w:header="${header}" w:footer="${footer}" w:gutter="0"/>${number}${document.plainFirst && first ? '<w:titlePg/>' : ''}</w:sectPr>`
}
