import { escaped } from '../../text/markup.ts'
import { familyOf } from '../docx/fonts.ts'
import type { Paragraph, Span } from '../model.ts'

/** English Metric Units: a point has 12,700. */
export const emu = (points: number) => Math.round(points * 12_700)

/** Returns the id of the relationship for a link. */
export type Link = (href: string) => string

const attribute = (text: string) => escaped(text).replaceAll('"', '&quot;')

const hex = (colour: number) => (colour & 0xffffff).toString(16).padStart(6, '0')

function run(span: Span, link: Link): string {
  const { bold, italic, raised, href } = span
  const style = `${bold ? ' b="1"' : ''}${italic ? ' i="1"' : ''}${raised ? ` baseline="${raised === 'sup' ? 30 : -25}000"` : ''}`
  const fill = `<a:solidFill><a:srgbClr val="${hex(span.colour)}"/></a:solidFill>`
  const font = `<a:latin typeface="${attribute(familyOf(span.font))}"/>`
  const click = href ? `<a:hlinkClick r:id="${link(href)}"/>` : ''
  // A raised letter has the size of the line.
  const size = Math.max(100, Math.round((raised ? span.size / 0.65 : span.size) * 100))
  const properties = `<a:rPr lang="en-GB" sz="${size}"${style}>${fill}${font}${click}</a:rPr>`
  return span.text
    .replaceAll('\t', ' ')
    .split(/(\n)/)
    .filter(Boolean)
    .map((text) => (text === '\n' ? '<a:br/>' : `<a:r>${properties}<a:t>${escaped(text)}</a:t></a:r>`))
    .join('')
}

/**
 * A paragraph of a text box.
 *
 * @param space points above it
 */
export function paragraph({ spans, list, align, rtl, pitch }: Paragraph, space: number, link: Link): string {
  const indent = list ? ` marL="${emu(18 * (list.depth + 1))}" indent="${emu(-18)}"` : ' marL="0" indent="0"'
  const side = { left: '', center: ' algn="ctr"', right: ' algn="r"' }[align]
  const line = pitch ? `<a:lnSpc><a:spcPts val="${Math.round(pitch * 100)}"/></a:lnSpc>` : ''
  const bullet = list
    ? list.ordered
      ? `<a:buAutoNum type="arabicPeriod"${list.number > 1 ? ` startAt="${list.number}"` : ''}/>`
      : '<a:buChar char="•"/>'
    : '<a:buNone/>'
  const above = `<a:spcBef><a:spcPts val="${Math.round(Math.max(0, Math.min(space, 100)) * 100)}"/></a:spcBef>`
  const text = spans.map((span) => run(span, link)).join('')
  return `<a:p><a:pPr${indent}${side}${rtl ? ' rtl="1"' : ''}>${line}${above}${bullet}</a:pPr>${text}</a:p>`
}
