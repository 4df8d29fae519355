import { escaped, unescaped } from '../text/markup.ts'

/** Elements without an end tag in HTML (HTML Standard, §13.1.2). */
const VOID = new Set('area base br col embed frame hr img input link meta param source track wbr'.split(' '))

/** Characters that the entities of a document may add. */
const MOST = 1_000_000

const TOKENS =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:"[^"]*"|'[^']*'|\[[\s\S]*?\]\s*(?=>)|[^>"'[])*>|<(\/?)([\w.-]+:)?([\w.-]+)((?:"[^"]*"|'[^']*'|[^>"'])*?)(\/?)>/gi

/**
 * Writes XHTML as HTML, which browsers show also if it is not well-formed: empty elements get an end tag, CDATA sections
 * and the document's own entities become text, and its XML declarations and document type go.
 */
export function htmlOf(xhtml: string): string {
  const prefix = /<([\w.-]+:)html[\s>]/.exec(xhtml)?.[1]
  let inside = ''
  const html = xhtml.replace(TOKENS, (token, cdata, closing, namespace, name, attributes, empty) => {
    if (cdata !== undefined) return /^(style|script)$/i.test(inside) ? cdata : escaped(cdata)
    if (name === undefined) return token.startsWith('<!--') ? token : ''
    inside = closing || empty ? '' : name
    const element = namespace && namespace !== prefix ? `${namespace}${name}` : name
    if (closing) return VOID.has(name) ? '' : `</${element}>`
    return `<${element}${attributes.trimEnd()}>${empty && !VOID.has(name) ? `</${element}>` : ''}`
  })
  return `<!DOCTYPE html>\n${expanded(html, entitiesOf(xhtml))}`
}

/** The entities that a document type declares as text. */
function entitiesOf(xhtml: string): Map<string, string> {
  const subset = /<!DOCTYPE[^>[]*\[([\s\S]*?)\]\s*>/i.exec(xhtml)?.[1] ?? ''
  const declared = subset.matchAll(/<!ENTITY\s+([\w.-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g)
  return new Map([...declared].map(([, name, one, two]) => [name!, escaped(unescaped(one ?? two ?? ''))]))
}

function expanded(html: string, entities: ReadonlyMap<string, string>): string {
  let added = 0
  if (entities.size === 0) return html
  return html.replace(/&([\w.-]+);/g, (whole, name) => {
    const value = entities.get(name)
    added += value?.length ?? 0
    return value === undefined || added > MOST ? whole : value
  })
}
