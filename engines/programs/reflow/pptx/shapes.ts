import {
  type Block,
  type Box,
  type Drawn,
  height,
  type Page,
  type Paragraph,
  type Picture,
  type Table,
  width,
} from '../model.ts'
import { emu, type Link, paragraph } from './text.ts'

/** Where a shape is on the slide; boxes are in points of the page. */
function frame(box: Box, [left, top]: Box, tag = 'a'): string {
  const place = `<a:off x="${emu(box[0] - left)}" y="${emu(box[1] - top)}"/>`
  return `<${tag}:xfrm>${place}<a:ext cx="${Math.max(1, emu(width(box)))}" cy="${Math.max(1, emu(height(box)))}"/></${tag}:xfrm>`
}

const named = (kind: string, id: number, name: string, inside = '<p:nvPr/>', own = `<p:cNv${kind}Pr/>`) =>
  `<p:nv${kind}Pr><p:cNvPr id="${id}" name="${name} ${id}"/>${own}${inside}</p:nv${kind}Pr>`

const RECTANGLE = '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'

/** A filled area. */
export const area = (box: Drawn, bounds: Box, id: number) =>
  `<p:sp>${named('Sp', id, 'Area')}<p:spPr>${frame([box[0], box[1], box[2], box[3]], bounds)}${RECTANGLE}<a:solidFill><a:srgbClr val="${box[4].slice(1)}"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>`

/** A picture; `relation` is the id of its relationship. */
export const picture = ({ box }: Pick<Picture, 'box'>, bounds: Box, id: number, relation: string) =>
  `<p:pic>${named('Pic', id, 'Picture')}<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${frame(box, bounds)}${RECTANGLE}</p:spPr></p:pic>`

/**
 * Paragraphs that follow each other in a column, as one text box. The title of the slide is a placeholder.
 *
 * @param limit where what is beside the text begins
 */
export function textBox(
  list: readonly Paragraph[],
  page: Page,
  id: number,
  { title, limit, link }: { title: boolean; limit: number; link: Link },
): string {
  const [first] = list as [Paragraph]
  const left = Math.min(...list.map(({ box }) => box[0]))
  const right = Math.max(...list.map(({ box }) => box[2]))
  // Fonts of other machines may be wider, up to what is beside the text.
  const grown = Math.max(0, Math.min(0.06 * (right - left) + 4, (limit - right) / 2))
  const centred = list.every(({ align }) => align === 'center')
  const indent = first.list ? Math.min(18, left - page.bounds[0]) : 0
  const lead = (first.pitch ?? 1.2 * first.size) - first.size
  const box: Box = [
    left - indent - (centred ? Math.min(grown, left - page.bounds[0]) : 0),
    Math.max(page.bounds[1], first.box[1] - lead),
    right + grown,
    Math.min(page.bounds[3], list.at(-1)!.box[3] + 2),
  ]
  const text = list.map((one, index) => {
    const above = list[index - 1]
    const natural = (one.pitch ?? 1.2 * one.size) - one.size
    return paragraph(one, above ? one.box[1] - above.box[3] - natural : 0, link)
  })
  const holder = title ? '<p:nvPr><p:ph type="title"/></p:nvPr>' : '<p:nvPr/>'
  const body = '<a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"><a:normAutofit/></a:bodyPr>'
  return `<p:sp>${named('Sp', id, title ? 'Title' : 'Text', holder, title ? '<p:cNvSpPr/>' : '<p:cNvSpPr txBox="1"/>')}<p:spPr>${frame(box, page.bounds)}${RECTANGLE}<a:noFill/></p:spPr><p:txBody>${body}<a:lstStyle/>${text.join('')}</p:txBody></p:sp>`
}

const SIDES = ['L', 'R', 'T', 'B']

/** A table with its cells. */
export function table(block: Table, page: Page, id: number, link: Link): string {
  const taken = new Map<string, string>()
  const ink = (isDrawn: boolean) => (isDrawn ? '<a:solidFill><a:srgbClr val="808080"/></a:solidFill>' : '<a:noFill/>')
  const hasLine = (at: number) => block.lines.some(({ row }) => row === at)
  const borders = (row: number) =>
    SIDES.map((side) => {
      const isDrawn = block.ruled || (side === 'T' && hasLine(row)) || (side === 'B' && hasLine(row + 1))
      return `<a:ln${side} w="6350">${ink(isDrawn)}</a:ln${side}>`
    }).join('')
  const rows = block.rows.map((row, y) => {
    const cells = block.widths.map((_, x) => {
      const cell = row.find(({ column }) => column === x)
      if (cell)
        for (let down = 0; down < cell.rows; down++)
          for (let across = 0; across < cell.columns; across++)
            taken.set(`${x + across} ${y + down}`, `${across ? ' hMerge="1"' : ''}${down ? ' vMerge="1"' : ''}`)
      const merged = taken.get(`${x} ${y}`) ?? ''
      const spans = `${cell && cell.columns > 1 ? ` gridSpan="${cell.columns}"` : ''}${cell && cell.rows > 1 ? ` rowSpan="${cell.rows}"` : ''}`
      const text = cell?.paragraphs.map(({ list: _, ...one }) => paragraph(one, 0, link)).join('') || '<a:p/>'
      const colour = cell?.fill ? `<a:solidFill><a:srgbClr val="${cell.fill.slice(1)}"/></a:solidFill>` : '<a:noFill/>'
      return `<a:tc${spans}${merged}><a:txBody><a:bodyPr/><a:lstStyle/>${text}</a:txBody><a:tcPr marL="36000" marR="36000" marT="0" marB="0" anchor="ctr">${borders(y)}${colour}</a:tcPr></a:tc>`
    })
    return `<a:tr h="${emu(Math.max(1, block.heights[y] ?? 10))}">${cells.join('')}</a:tr>`
  })
  const columns = block.widths.map((one) => `<a:gridCol w="${emu(one)}"/>`).join('')
  return `<p:graphicFrame>${named('GraphicFrame', id, 'Table')}${frame(block.box, page.bounds, 'p')}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr${block.rtl ? ' rtl="1"' : ''}/><a:tblGrid>${columns}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}

/** Paragraphs in groups that are one text each: in one column, without gaps. */
export function grouped(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)?.at(-1)
    const follows =
      last?.kind === 'paragraph' &&
      block.kind === 'paragraph' &&
      last.align === block.align &&
      !last.heading === !block.heading &&
      !last.list === !block.list &&
      Math.abs(last.box[0] - block.box[0]) < 40 &&
      block.box[1] >= last.box[3] - 2 &&
      block.box[1] - last.box[3] < 2.2 * block.size
    if (follows) groups.at(-1)!.push(block)
    else groups.push([block])
  }
  return groups
}
