import { escaped, unescaped } from '../text/markup.ts'

/** Elements without an end tag in HTML (HTML Standard, §13.1.2). */
const VOID = new Set('area base br col embed frame hr img input link meta param source track wbr'.split(' '))

/** Characters that the entities of a document may add. */
const MAX = 1_000_000

/**
 * Whatever is not closed reaches the end, or does not count: no part of a text is searched for an end more than once.
 */
const TOKENS = new RegExp(
  [
    /<!--[\s\S]*?(?:-->|$)/,
    /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/,
    /<\?[^<]*?\?>/,
    /<!DOCTYPE(?:"[^"<]*"|'[^'<]*'|\[([\s\S]*?)(?:\]\s*(?=>)|$)|[^<>"'[])*(>?)/,
    /<(\/?)([\w.-]+:)?([\w.-]+)((?:=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))|[^>])*)(>?)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/**
 * Writes XHTML as HTML, which browsers show also if it is not well-formed: empty elements get an end tag, CDATA
 * sections and the document's own entities become text, and its XML declarations and document type go.
 */
export function htmlOf(xhtml: string): string {
  const prefix = /<([\w.-]+:)html[\s>]/.exec(xhtml)?.[1]
  let inside = ''
  let declarations = ''
  const rewrite = (token: string, ...groups: (string | undefined)[]): string => {
    const [cdata, subset, typeEnd, closing, namespace, name, attributes = '', end] = groups
    if (cdata !== undefined) return /^(style|script)$/i.test(inside) ? cdata : escaped(cdata)
    if (name === undefined) {
      declarations ||= subset ?? ''
      return token.startsWith('<!--') || typeEnd === '' ? token : ''
    }
    if (!end) return token
    const isEmpty = attributes.endsWith('/')
    inside = closing || isEmpty ? '' : name
    const element = namespace && namespace !== prefix ? `${namespace}${name}` : name
    if (closing) return VOID.has(name) ? '' : `</${element}>`
    const own = attributes.slice(0, isEmpty ? -1 : undefined).trimEnd()
    return `<${element}${own}>${isEmpty && !VOID.has(name) ? `</${element}>` : ''}`
  }
  const html = xhtml.replace(TOKENS, rewrite)
  return `<!DOCTYPE html>\n${expanded(html, entitiesOf(declarations))}`
}

/** The entities that the declarations in a document type define as text. */
function entitiesOf(declarations: string): Map<string, string> {
  const declared = declarations.matchAll(/<!ENTITY\s+([\w.-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g)
  return new Map([...declared].map(([, name, one, two]) => [name!, escaped(unescaped(one ?? two ?? ''))]))
}

function expanded(html: string, entities: ReadonlyMap<string, string>): string {
  let added = 0
  if (entities.size === 0) return html
  return html.replace(/&([\w.-]+);/g, (whole, name) => {
    const value = entities.get(name)
    added += value?.length ?? 0
    return value === undefined || added > MAX ? whole : value
  })
}
