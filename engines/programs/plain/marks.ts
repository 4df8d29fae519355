import { attributesOf } from '../text/markup.ts'

/** Comments and literal text, which are skipped. */
const SKIPPED = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/.source
const BODY = new RegExp(`${SKIPPED}|${/<body(?=[\s>])[\s\S]*?(?:<\/body>|$)/.source}`, 'g')
const GROUP = /<fn-group\b[^<>]*>([\s\S]*?)(?:<\/fn-group>|$)/g
const NOTE = /<fn(?=[\s>])([^<>]*)>([\s\S]*?)(?:<\/fn>|$)/g
const XREF = /<xref\b([^<>]*)>[^<]*(?:<\/?sup>[^<]*)*<\/xref>/.source
/** A mark is raised as a whole, or stands in a raised list with others. */
const MARK = new RegExp(`${SKIPPED}|${GROUP.source}|<sup>\\s*${XREF}\\s*</sup>|${XREF}`, 'g')

/** Moves the notes of a JATS article from their group to their first marks in the text, where pandoc reads them. */
export function placedNotes(article: string): string {
  const notes = new Map<string, string>()
  for (const [, group] of article.matchAll(GROUP))
    for (const [, attributes, content] of group!.matchAll(NOTE)) {
      const id = attributesOf(attributes!).get('id')
      if (id && !notes.has(id)) notes.set(id, `<fn>${content!.replace(/^\s*<label>[\s\S]*?<\/label>/, '')}</fn>`)
    }
  const placed = new Set<string>()
  const place = (whole: string, _group?: string, raised?: string, own?: string) => {
    const id = attributesOf(raised ?? own ?? '').get('rid') ?? ''
    if (!notes.has(id) || placed.has(id)) return whole
    placed.add(id)
    return notes.get(id)!
  }
  const marked = article.replace(BODY, (body) => (body.startsWith('<body') ? body.replace(MARK, place) : body))
  if (placed.size === 0) return article
  return marked.replace(GROUP, (group) => {
    // Another note with the same id stays.
    const rest = group.replace(NOTE, (note, attributes) =>
      placed.delete(attributesOf(attributes).get('id') ?? '') ? '' : note,
    )
    // A group without notes would be an empty section.
    return /<fn[\s>]/.test(rest) ? rest : ''
  })
}

const VERBATIM =
  /<!--[\s\S]*?(?:-->|$)|<(nowiki|pre|syntaxhighlight|source|math|code)\b[^<>]*(?<!\/)>[\s\S]*?(?:<\/\1\s*>|$)/.source
const WIKI = new RegExp(`${VERBATIM}|${/<(b|strong|i|em)>([^\n]{0,2000}?)<\/\2>/.source}`, 'gi')

/** Nothing, to pandoc. It keeps apostrophes of the text apart from those of the marks. */
const APART = '<nowiki/>'

/** Writes emphasis by tags as MediaWiki's own marks, which pandoc reads. */
export const markedEmphasis = (wiki: string): string =>
  wiki.replace(WIKI, (token, _verbatim, name?: string, text = '') => {
    if (!name) return token
    const inner = markedEmphasis(text)
    const words = inner.trim()
    if (!words) return inner
    const mark = `${APART}${/^[bs]/i.test(name) ? "'''" : "''"}${APART}`
    // Beside a space, pandoc would print the mark.
    const at = inner.indexOf(words)
    return inner.slice(0, at) + mark + words + mark + inner.slice(at + words.length)
  })
