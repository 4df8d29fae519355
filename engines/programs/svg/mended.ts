import { withSize } from './size.ts'

/** Prefixes that drawings use, also without declaring them. */
const NAMESPACES: Readonly<Record<string, string>> = {
  xlink: 'http://www.w3.org/1999/xlink',
  inkscape: 'http://www.inkscape.org/namespaces/inkscape',
  sodipodi: 'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
}

/** Most replacements of one variable by another. Circular ones end here. */
const DEEPEST = 8
/** Most variables. Larger style sheets are left alone. */
const MAX = 2000

/**
 * Makes a drawing readable for librsvg and Inkscape, which browsers draw: declares missing namespaces, replaces CSS
 * variables by their values, chooses English text, and gives it a size if its own is absurd. Other drawings are
 * returned unchanged.
 */
export function mended(drawing: Buffer): Buffer {
  // One character per byte: all that is looked for is ASCII, also in UTF-8. UTF-16 is left alone.
  const text = drawing.toString('latin1')
  if (text.includes('\0')) return drawing
  const better = withEnglish(withValues(withSize(withNamespaces(text))))
  return better === text ? drawing : Buffer.from(better, 'latin1')
}

/** Declares the prefixes that a drawing uses without a declaration. */
export function withNamespaces(text: string): string {
  const root = /<(?:([\w.-]+):)?svg(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/.exec(text)
  if (!root) return text
  const [tag, own] = root
  const declared = new Set([...text.matchAll(/\bxmlns:([\w.-]+)\s*=/g)].map(([, prefix]) => prefix!))
  const used = [...text.matchAll(/<\/?([A-Za-z_][\w.-]*):[A-Za-z_]|\s([A-Za-z_][\w.-]*):[\w.-]+\s*=\s*["']/g)]
  const prefixes = new Set(used.map(([, element, attribute]) => (element ?? attribute)!))
  const missing = [...prefixes].filter((prefix) => !declared.has(prefix) && !/^xml/i.test(prefix))
  const added = missing.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix] ?? `urn:x-${prefix}`}"`)
  if (own === undefined && !/\sxmlns\s*=/.test(tag)) added.unshift(' xmlns="http://www.w3.org/2000/svg"')
  const at = root.index + (own === undefined ? '<svg' : `<${own}:svg`).length
  return `${text.slice(0, at)}${added.join('')}${text.slice(at)}`
}

/** The definition of a variable: its name and value. */
const DEFINITION = /(?<![\w-])(--[\w-]+)\s*:\s*([^;{}"'<>]+)/g

/** Style sheets and style attributes. */
const STYLES = /<style\b[\s\S]*?(?:<\/style|$)|\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi

/** Replaces variables by their first value anywhere, or by the fallback at the place of use. */
function withValues(text: string): string {
  if (!text.includes('var(--')) return withColours(text)
  const values = new Map<string, string>()
  for (const [, name, value] of text.matchAll(DEFINITION)) if (!values.has(name!)) values.set(name!, value!.trim())
  if (values.size > MAX) return text
  let now = text
  // Variables that name each other several times grow without end.
  const max = 4 * text.length + 1_000_000
  for (let depth = 0; depth < DEEPEST && now.length < max && now.includes('var(--'); depth++)
    now = now.replace(/var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g, (_, name, fallback) => {
      return values.get(name) ?? fallback?.trim() ?? 'inherit'
    })
  // The parser of Inkscape skips the rules that follow a definition.
  const definitions = new RegExp(`${DEFINITION.source};?`, 'g')
  return withColours(now.replace(STYLES, (styles) => styles.replace(definitions, '')))
}

/** Diagrams for light and dark pages are drawn for light ones. */
const withColours = (text: string) =>
  text.includes('light-dark(')
    ? text.replace(/light-dark\(((?:[^(),]|\([^()]*\))+),(?:[^()]|\([^()]*\))*\)/g, (_, light) => light.trim())
    : text

/** Text in several languages: programs without a language draw none. */
const withEnglish = (text: string) => text.replace(/\ssystemLanguage\s*=\s*(["'])\s*en\b[^"']*\1/gi, '')
