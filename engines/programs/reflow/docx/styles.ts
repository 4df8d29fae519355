import type { Block, Document } from '../model.ts'
import { familyOf } from './fonts.ts'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const halves = (size: number) => Math.round(size * 2)

/** The font size of most headings of a level. */
function headingSize(blocks: readonly Block[], level: number, body: number): number {
  const sizes = blocks.flatMap((block) => (block.kind === 'paragraph' && block.heading === level ? [block.size] : []))
  return sizes.toSorted((a, b) => a - b)[sizes.length >> 1] ?? body + Math.max(0, 8 - 2 * level)
}

/** The styles: the document's own font, and headings that Word lists in its navigation. */
export function styles({ sections, size, font }: Document): string {
  const blocks = sections.flatMap(({ pages }) => pages.flat())
  const family = familyOf(font)
  const fonts = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}"/>`
  const headings = [1, 2, 3, 4, 5, 6].map((level) => {
    const half = halves(headingSize(blocks, level, size))
    return `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="${half}"/><w:szCs w:val="${half}"/></w:rPr></w:style>`
  })
  return `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr>${fonts}<w:sz w:val="${halves(size)}"/><w:szCs w:val="${halves(size)}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>${headings.join('')}</w:styles>`
}

const BULLETS = ['•', '◦', '▪']

const level = (depth: number, format: string, text: string, start: number) =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${360 * (depth + 1)}" w:hanging="360"/></w:pPr></w:lvl>`

const levels = (make: (depth: number) => string) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map(make).join('')

/** The lists: one for all bullets, and one for each ordered list, which begins with its own number. */
export function numbering(starts: readonly number[]): string {
  const bullets = levels((depth) => level(depth, 'bullet', BULLETS[depth % 3]!, 1))
  const ordered = starts.map(
    (start, index) =>
      `<w:abstractNum w:abstractNumId="${index + 1}"><w:multiLevelType w:val="multilevel"/>${levels((depth) => level(depth, depth % 2 ? 'lowerLetter' : 'decimal', `%${depth + 1}.`, depth ? 1 : start))}</w:abstractNum>`,
  )
  const numbers = [0, ...starts.map((_, index) => index + 1)].map(
    (id) => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`,
  )
  return `<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>${bullets}</w:abstractNum>${ordered.join('')}${numbers.join('')}</w:numbering>`
}
