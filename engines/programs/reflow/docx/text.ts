import { escaped } from '../../text/markup.ts'
import { visible } from '../colours.ts'
import type { Paragraph, Span, Stroke } from '../model.ts'
import { familyOf } from './fonts.ts'

/** What paragraphs refer to in other parts of the package: links, pictures, footnotes, lists. */
export interface Parts {
  /** The document's own font and font size. */
  font: string
  size: number
  /** Each returns the id of a relationship. */
  link: (href: string) => string
  picture: (src: string) => string
  /** The reference to a footnote, as a run. */
  note: (note: Paragraph) => string
  /** The number of the list that an item is in. */
  list: (item: Paragraph) => number
  /** Whether what is written now is on a dark colour. */
  dark: boolean
  /** All of them, to be written. */
  links: ReadonlyMap<string, string>
  pictures: ReadonlyMap<string, string>
  notes: readonly string[]
  /** The first number of each ordered list. */
  starts: readonly number[]
}

const quoted = (text: string) => escaped(text).replaceAll('"', '&quot;')

/** Half points. */
const halves = (size: number) => Math.max(2, Math.round(size * 2))

/** Twentieths of a point. */
export const twips = (points: number) => Math.round(points * 20)

/** A line as attributes. Word has widths of 2 to 96 eighths of a point. */
export const borderOf = ({ width, colour }: Stroke, space = 0) =>
  `w:val="single" w:sz="${Math.min(96, Math.max(2, Math.round(width * 8)))}" w:space="${space}" w:color="${colour.slice(1)}"`

/** Text of a run: tabs and line breaks are elements. */
const content = (text: string) =>
  text
    .split(/([\n\t])/)
    .filter(Boolean)
    .map((part) =>
      part === '\n' ? '<w:br/>' : part === '\t' ? '<w:tab/>' : `<w:t xml:space="preserve">${escaped(part)}</w:t>`,
    )
    .join('')

/** How a run differs from the document's own font. */
function properties(span: Span, parts: Parts, rtl: boolean, plain: boolean): string {
  const family = familyOf(span.font)
  const size = halves(span.size)
  const colour = visible(span.colour & 0xffffff, parts.dark)
  const style = [
    family &&
      family !== parts.font &&
      `<w:rFonts w:ascii="${quoted(family)}" w:hAnsi="${quoted(family)}" w:cs="${quoted(family)}"/>`,
    span.bold ? !plain && '<w:b/><w:bCs/>' : plain && '<w:b w:val="0"/><w:bCs w:val="0"/>',
    span.italic && '<w:i/><w:iCs/>',
    colour !== 0 && `<w:color w:val="${colour.toString(16).padStart(6, '0')}"/>`,
    !span.raised && (size !== halves(parts.size) || plain) && `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`,
    span.href && '<w:u w:val="single"/>',
    span.raised && `<w:vertAlign w:val="${span.raised === 'sup' ? 'superscript' : 'subscript'}"/>`,
    rtl && '<w:rtl/>',
  ]
  const inside = style.filter(Boolean).join('')
  return inside ? `<w:rPr>${inside}</w:rPr>` : ''
}

const FIELDS = { page: 'PAGE', pages: 'NUMPAGES' }

/** Runs of a paragraph. `plain`: its style is bold already. */
export function runs(spans: readonly Span[], parts: Parts, rtl: boolean, plain = false): string {
  return spans
    .map((span) => {
      if (span.note)
        return (
          parts.note(span.note) +
          (/\s$/.test(span.text) ? run({ ...span, raised: undefined as never, text: ' ' }, parts, rtl, plain) : '')
        )
      const inner = run(span, parts, rtl, plain)
      if (span.field) return `<w:fldSimple w:instr=" ${FIELDS[span.field]} ">${inner}</w:fldSimple>`
      return span.href ? `<w:hyperlink r:id="${parts.link(span.href)}">${inner}</w:hyperlink>` : inner
    })
    .join('')
}

const run = (span: Span, parts: Parts, rtl: boolean, plain: boolean) =>
  `<w:r>${properties(span, parts, rtl, plain)}${content(span.text)}</w:r>`

const tabsOf = ({ tabs = [] }: Paragraph) => {
  const stops = tabs.map(({ at, isEnd }) => `<w:tab w:val="${isEnd ? 'right' : 'left'}" w:pos="${twips(at)}"/>`)
  return stops.length > 0 && `<w:tabs>${stops.join('')}</w:tabs>`
}

/**
 * A paragraph.
 *
 * @param space points above it
 * @param more further properties, which must come first in the schema's order
 */
export function paragraph(block: Paragraph, parts: Parts, space = 0, more = '', tabs = ''): string {
  const { list, heading, rtl, align, pitch, indent = 0, left = 0, right = 0, spans, above, below } = block
  const level = list && `<w:numPr><w:ilvl w:val="${list.depth}"/><w:numId w:val="${parts.list(block)}"/></w:numPr>`
  const line = pitch ? ` w:line="${twips(pitch)}" w:lineRule="atLeast"` : ''
  const indents = !list && !heading && align === 'left' && !rtl && (left > 3 || indent || right)
  const hang = indent < 0 ? `w:hanging="${twips(-indent)}"` : `w:firstLine="${twips(indent)}"`
  const side = { left: rtl ? 'start' : '', center: 'center', right: 'right' }[align]
  const edges = [above && `<w:top ${borderOf(above, 1)}/>`, below && `<w:bottom ${borderOf(below, 1)}/>`].filter(
    Boolean,
  )
  const style = [
    heading && `<w:pStyle w:val="Heading${heading}"/>`,
    more,
    level,
    edges.length > 0 && `<w:pBdr>${edges.join('')}</w:pBdr>`,
    tabs || tabsOf(block),
    rtl && '<w:bidi/>',
    `<w:spacing w:before="${twips(space)}" w:after="0"${line}/>`,
    indents && `<w:ind w:left="${twips(Math.max(0, left))}" w:right="${twips(right)}" ${hang}/>`,
    side && `<w:jc w:val="${side}"/>`,
  ]
  return `<w:p><w:pPr>${style.filter(Boolean).join('')}</w:pPr>${runs(spans, parts, rtl, Boolean(heading))}</w:p>`
}
