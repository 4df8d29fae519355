import { escaped } from '../text/markup.ts'
import { counter, type Item, valueIn } from './labels.ts'

const STYLE = /<w:style\s([^<>]*)(?<!\/)>(.*?)<\/w:style>/gs
const PROPERTIES = /<w:pPr>(.*?)<\/w:pPr>/gs
const NUMBERED = /<w:numPr>(.*?)<\/w:numPr>/s
const HEADING = /^heading \d$/i
/** Most styles that are based on one another. */
const DEEPEST = 20

/** What a style says about the place of its paragraphs in a list, and whether they are headings. */
interface Style {
  base: string | undefined
  numId: string | undefined
  level: string | undefined
  heading: true | undefined
}

function stylesOf(xml: string): Map<string, Style> {
  const found = new Map<string, Style>()
  for (const [, attributes = '', content = ''] of xml.slice(0, xml.lastIndexOf('</w:style>') + 10).matchAll(STYLE)) {
    const id = /w:styleId="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const [, place = ''] = NUMBERED.exec(content) ?? []
    found.set(id, {
      base: valueIn(content, 'basedOn'),
      numId: valueIn(place, 'numId'),
      level: valueIn(place, 'ilvl'),
      heading: HEADING.test(valueIn(content, 'name') ?? '') || undefined,
    })
  }
  return found
}

/** The numbering of a paragraph that is no item of a list (ECMA-376 part 1, §17.9.18). */
const NO_LIST = { numId: '0', level: 0 }

/**
 * Gives paragraphs the list that Word continues there, for a reader that counts each numbering by itself, and writes
 * the numbers of headings as text, which readers leave out. A paragraph that shows no number or bullet is no item.
 * `styles` has names as `headingStyles` writes them.
 */
export function numbered(document: string, numbering: string, styles: string): string {
  const known = stylesOf(styles)
  const count = counter(numbering)
  const end = document.lastIndexOf('</w:pPr>') + '</w:pPr>'.length
  return document.slice(0, end).replace(PROPERTIES, change) + document.slice(end)

  function change(whole: string, content: string, offset: number): string {
    // Properties of an earlier version, in a tracked change, are not its own.
    const own = content.replace(/<w:pPrChange.*/s, '')
    const [mark, direct = ''] = NUMBERED.exec(own) ?? []
    const style = valueIn(own, 'pStyle')
    const numId = valueIn(direct, 'numId') ?? inheritedBy(style, 'numId')
    const level = valueIn(direct, 'ilvl') ?? inheritedBy(style, 'level')
    const item = numId ? count({ numId, level: level === undefined ? undefined : Number(level), style }) : undefined
    if (!item) return whole
    if (inheritedBy(style, 'heading')) {
      const after = offset + whole.length
      const isEmpty = !/<w:t[\s>]/.test(document.slice(after, document.indexOf('</w:p>', after)))
      const number = item.label && !isEmpty ? `<w:r><w:t xml:space="preserve">${escaped(item.label)} </w:t></w:r>` : ''
      return moved(whole, mark, NO_LIST) + number
    }
    if (item.label === '') return moved(whole, mark, NO_LIST)
    return item.numId === numId ? whole : moved(whole, mark, item)
  }

  function inheritedBy<Key extends keyof Style>(style: string | undefined, key: Key): Style[Key] {
    let now = known.get(style ?? '')
    for (let depth = 0; now && depth < DEEPEST; depth++) {
      if (now[key] !== undefined) return now[key]
      now = known.get(now.base ?? '')
    }
    return undefined as Style[Key]
  }
}

/** Properties that name another list, after the style, which comes first. */
function moved(whole: string, mark: string | undefined, { numId, level }: Omit<Item, 'label'>): string {
  const list = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`
  if (mark) return whole.replace(mark, () => list)
  return whole.replace(/^<w:pPr>(\s*<w:pStyle\s[^<>]*>)?/, (start) => start + list)
}
