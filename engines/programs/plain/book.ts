import { escaped } from '../text/markup.ts'
import { placedCover } from './cover.ts'

const TAG = /<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>/g
const BODIES = /<body[\s>][\s\S]*<\/body>/
const TABLE = /<table(?=[\s>])[\s\S]*?<\/table>/g
const LINES = new Set(['p', 'v', 'subtitle'])
const GROUPS = new Set('body section title epigraph annotation poem stanza cite empty-line'.split(' '))
const WITHIN = new Set('strong emphasis style a strikethrough sub sup code image'.split(' '))
/** The groups that end with an author and a date. */
const SIGNED = new Set(['poem', 'cite', 'epigraph'])
/** Elements of HTML that are not within a line. */
const BLOCK = /^(li|ul|ol|dl|dt|dd|div|pre|blockquote|center|h[1-6])$/
const OF_HTML: Readonly<Record<string, string>> = { emphasis: 'em', strikethrough: 's', style: 'span', image: 'img' }

/** An open element: its new name, if it keeps one, the line that it is in or is, and the line that goes on after it. */
interface Open {
  as: string
  line: string
  after: string
}

/** A book in FictionBook that pandoc reads completely: with its cover, tables, and the words of elements of HTML. */
export const readableBook = (markup: string) =>
  placedCover(markup).replace(BODIES, (bodies) => known(bodies.replace(TABLE, asCode)))

/** A table as a page in code, which `pandoc/book-tables.lua` reads: pandoc has no tables in these books. */
function asCode(table: string): string {
  const html = table.replace(TAG, (_, closing, name, attributes) => {
    const own =
      name === 'image' ? attributes.replace(/[\w:]*href="#?/, 'src="') : attributes.replace(/\w+:href=/, 'href=')
    return `<${closing}${OF_HTML[name] ?? name}${own}>`
  })
  return `<p><code>\ue0f0${escaped(html)}</code></p>`
}

/** Words outside of lines get one, and elements that these books do not have go. */
function known(markup: string): string {
  const open: Open[] = []
  const start = (name: string, tag: string, line: string, before: string) => {
    open.push({ as: name, line, after: before })
    return `${before && `</${before}>`}${tag}`
  }
  return markup.replace(TAG, (tag, closing: string, name: string, attributes: string, empty: string) => {
    const top = open.at(-1)
    const line = top?.line ?? ''
    // A line goes on only where nothing within it is open.
    const parted = line && top && !WITHIN.has(top.as) ? line : ''
    if (closing) {
      const { as, after } = open.pop() ?? { as: name, after: '' }
      return `${as && `</${as}>`}${after && `<${after}>`}`
    }
    const isLink = name !== 'a' || /href\s*=/.test(attributes)
    if (WITHIN.has(name) && isLink) {
      const linked = name === 'a' ? tag.replace(/\shref\s*=/, ' xmlns:l="http://www.w3.org/1999/xlink" l:href=') : tag
      return empty ? linked : start(name, linked, line, '')
    }
    if (empty) return LINES.has(name) || GROUPS.has(name) ? tag : ' '
    if (LINES.has(name) || (SIGNED.has(top?.as ?? '') && /^(text-author|date)$/.test(name)))
      return start(name, tag, name, parted)
    if (GROUPS.has(name)) return start(name, tag, '', parted)
    if (line && !(parted && BLOCK.test(name))) return start('', '', line, '')
    return start('p', name === 'li' ? '<p>• ' : '<p>', 'p', parted)
  })
}
