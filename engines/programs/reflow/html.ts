import { escaped, pageMark } from '../text/markup.ts'
import type { Block, Document, Paragraph, Span, Table } from './model.ts'
import { plainText } from './spans.ts'

function spanHtml(span: Span): string {
  const whole = escaped(span.text).replaceAll('\t', ' ').replaceAll('\n', '<br>')
  const after = whole.slice(whole.trimEnd().length)
  if (span.note) return `<span class="reflow-footnote">${inline(span.note.spans)}</span>${after}`
  let html = whole.trim()
  if (!html) return whole
  const before = whole.slice(0, whole.length - whole.trimStart().length)
  // Readers of HTML lose line breaks in code.
  if (span.mono)
    html = html
      .split('<br>')
      .map((line) => line && `<code>${line}</code>`)
      .join('<br>')
  if (span.raised) html = `<${span.raised}>${html}</${span.raised}>`
  if (span.italic) html = `<i>${html}</i>`
  if (span.bold) html = `<b>${html}</b>`
  if (span.href) html = `<a href="${escaped(span.href).replaceAll('"', '&quot;')}">${html}</a>`
  return before + html + after
}

const inline = (spans: readonly Span[]) =>
  spans
    .map(spanHtml)
    .join('')
    .replace(/<\/(b|i|code)>(\s*)<\1>/g, '$2')
    .trim()

function paragraph(block: Paragraph): string {
  if (block.code) return `<pre><code>${escaped(plainText(block.spans))}</code></pre>`
  const spans = block.heading ? block.spans.map(({ bold: _, ...span }) => span) : block.spans
  const style = `${block.rtl ? ' dir="rtl"' : ''}${block.align === 'left' ? '' : ` style="text-align: ${block.align}"`}`
  if (block.heading) return `<h${block.heading}${style}>${inline(spans)}</h${block.heading}>`
  // Pandoc keeps what is said of a group of paragraphs, but not of one.
  return block.rtl ? `<div dir="rtl"><p>${inline(spans)}</p></div>` : `<p${style}>${inline(spans)}</p>`
}

function table({ rows, header, ruled, rtl }: Table): string {
  const html = rows.map((row, index) => {
    const tag = index < header ? 'th' : 'td'
    const cells = row.map(({ columns, rows, paragraphs, fill }) => {
      const span = `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`
      const style = [ruled && 'border: 1px solid gray', fill && `background-color: ${fill}`].filter(Boolean).join('; ')
      const plain = (spans: readonly Span[]) => (tag === 'th' ? spans.map(({ bold: _, ...rest }) => rest) : spans)
      const text = paragraphs.map(({ spans }) => inline(plain(spans))).join('<br>')
      return `<${tag}${span}${style && ` style="${style}"`}>${text}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const head = html.slice(0, header).join('')
  return `<table${rtl ? ' dir="rtl"' : ''}>${head && `<thead>${head}</thead>`}<tbody>${html.slice(header).join('')}</tbody></table>`
}

/** Lists that are parts of each other, as the depth of items says. */
function list(items: readonly Paragraph[]): string {
  let html = ''
  const open: string[] = []
  for (const item of items) {
    const tag = item.list!.ordered ? 'ol' : 'ul'
    while (open.length > item.list!.depth + 1) html += `</li></${open.pop()}>`
    if (open.length === item.list!.depth + 1) {
      html += '</li>'
      if (open.at(-1) !== tag) html += `</${open.pop()}>`
    }
    while (open.length < item.list!.depth + 1) {
      const start = tag === 'ol' && item.list!.number > 1 ? ` start="${item.list!.number}"` : ''
      html += `<${tag}${start}>${open.length < item.list!.depth ? '<li>' : ''}`
      open.push(tag)
    }
    html += `<li>${inline(item.spans)}`
  }
  while (open.length > 0) html += `</li></${open.pop()}>`
  return html
}

/** Blocks as HTML. */
function blocksHtml(blocks: readonly Block[], picture: (src: string) => string): string[] {
  const result: string[] = []
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!
    if (block.kind === 'picture')
      result.push(
        `<p><img src="${picture(block.src)}" alt="" style="width: ${Math.round(((block.box[2] - block.box[0]) * 4) / 3)}px"></p>`,
      )
    else if (block.kind === 'table') result.push(table(block))
    else if (block.list) {
      const items = [block]
      for (let next = blocks[index + 1]; next?.kind === 'paragraph' && next.list; next = blocks[index + 1]) {
        items.push(next)
        index++
      }
      result.push(list(items))
    } else result.push(paragraph(block))
  }
  return result
}

/**
 * A document as the body of an HTML page. Headers and footers have no place there.
 *
 * @param picture returns the URL of a picture by its file name
 * @param marked whether each page begins with a mark
 */
export function documentHtml({ sections }: Document, picture: (src: string) => string, marked = false): string {
  if (!marked)
    return blocksHtml(
      sections.flatMap(({ pages }) => pages.flat()),
      picture,
    ).join('\n')
  const html = sections.flatMap(({ pages, numbers }) =>
    pages.flatMap((blocks, index) => [pageMark(numbers[index]!), ...blocksHtml(blocks, picture)]),
  )
  return html.join('\n')
}
