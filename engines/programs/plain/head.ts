import { attributesOf, escaped } from '../text/markup.ts'

/**
 * Comments and elements with text of their own, which are skipped. Whatever is not closed reaches the end, as in
 * browsers.
 */
const SKIPPED = /<!--[\s\S]*?(?:-->|$)|<(script|style|svg|textarea|xmp)\b[\s\S]*?(?:<\/\1\s*>|$)/.source

/** What describes a page, wherever it stands. */
const TOKENS = new RegExp(
  `${SKIPPED}|${/<title\b[^<>]*>([\s\S]{0,2000}?)<\/title\s*>|<meta\b((?:"[^"]*"|'[^']*'|[^<>"'])*)>/.source}`,
  'gi',
)

/** Tags that a head belongs into or after. */
const PLACES = new RegExp(`${SKIPPED}|${/<(head|html)(?:\s[^<>]*)?>/.source}`, 'gi')

/** Splits a page into the elements that describe it, written so that every reader knows them, and the rest. */
export function parted(html: string): { head: string; rest: string } {
  const metas: string[] = []
  let title: string | undefined
  const rest = html.replace(TOKENS, (token, _skipped, text?: string, attributes?: string) => {
    if (text !== undefined) {
      // The first title counts. Tags in it are text.
      title ??= text.trim() && `<title>${text.trim().replaceAll('<', '&lt;')}</title>\n`
      return ''
    }
    const own = attributesOf(attributes ?? '')
    const name = own.get('name')
    const content = own.get('content')
    if (!name || content === undefined) return token
    metas.push(`<meta name="${quoted(name.toLowerCase())}" content="${quoted(content)}">\n`)
    return ''
  })
  return { head: (title ?? '') + metas.join(''), rest }
}

const quoted = (value: string) => value.replaceAll('"', '&quot;')

/** Puts what describes a page into its head. Adds the tags that HTML lets authors omit. */
export function headed(html: string): string {
  const { head, rest } = parted(html)
  if (!head) return html
  const places = [...rest.matchAll(PLACES)].map(({ 0: tag, 2: name, index }) => ({ name, end: index + tag.length }))
  const [own, root] = ['head', 'html'].map((name) => places.find((place) => place.name?.toLowerCase() === name))
  if (own) return `${rest.slice(0, own.end)}\n${head}${rest.slice(own.end)}`
  if (root) return `${rest.slice(0, root.end)}<head>\n${head}</head>${rest.slice(root.end)}`
  const { doctype, content } = opened(rest)
  return `${doctype}<html><head>\n${head}</head>\n${content}`
}

/** Adds what browsers need: the character set, and a title for a page that has none. A second head is merged. */
export function framed(html: string, title: string): string {
  const { head, rest } = parted(html)
  const { doctype, content } = opened(rest)
  const titled = !title || head.startsWith('<title') ? '' : `<title>${escaped(title)}</title>\n`
  return `${doctype}<html><head><meta charset="utf-8">\n${titled}${head}</head>\n${content}`
}

/** What may stand before the first element: one part for each match. */
const PROLOGUE = /\s+|<!--[\s\S]*?-->|<\?[^>]*>|(<!doctype[^>]*>)/giy

/** The document type decides how browsers lay a page out: it stays first. */
function opened(html: string) {
  let end = 0
  for (const [token, doctype] of html.matchAll(PROLOGUE)) {
    end += token.length
    if (doctype) return { doctype: html.slice(0, end), content: html.slice(end) }
  }
  return { doctype: '', content: html }
}
