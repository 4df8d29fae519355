/** Outline levels from 0 to 8 make headings; 9 is text (ECMA-376 part 1, §17.3.1.20). */
const LEVEL = /<w:outlineLvl\s[^<>]*?w:val="([0-8])"/

const STYLE = /<w:style\s([^<>]*)(?<!\/)>.*?<\/w:style>/gs
const NAME = /(<w:name\s[^<>]*?w:val=")([^"]*)/
const PROPERTIES = /<w:pPr>(.*?)<\/w:pPr>/gs

/** Names that readers look for: headings, and what becomes metadata. */
const KNOWN = /^(heading \d|title|subtitle|author|date|abstract)$/i

const own = (level: string) => `outline-${level}`

/** Styles that have an outline level are named as headings, for readers that know headings by their name. */
export function headingStyles(styles: string): string {
  const named = replaced(styles, '</w:style>', STYLE, (style, attributes) => {
    const level = attributes.includes('w:type="paragraph"') && LEVEL.exec(style)?.[1]
    const [, , name = ''] = NAME.exec(style) ?? []
    return level && !KNOWN.test(name) ? style.replace(NAME, `$1heading ${Number(level) + 1}`) : style
  })
  const added = Array.from({ length: 9 }, (_, level) => {
    const name = `<w:name w:val="heading ${level + 1}"/>`
    return `<w:style w:type="paragraph" w:styleId="${own(String(level))}">${name}</w:style>`
  })
  return named.replace('</w:styles>', `${added.join('')}</w:styles>`)
}

/** Paragraphs that have an outline level themselves get the style of a heading, which `headingStyles` adds. */
export function headingParagraphs(document: string): string {
  return replaced(document, '</w:pPr>', PROPERTIES, (whole, properties) => {
    // Properties of an earlier version, in a tracked change, are not its own.
    const level = LEVEL.exec(properties.replace(/<w:pPrChange.*/s, ''))?.[1]
    if (!level) return whole
    return `<w:pPr><w:pStyle w:val="${own(level)}"/>${properties.replace(/<w:pStyle\s[^<>]*>/, '')}</w:pPr>`
  })
}

/**
 * Replaces up to the last end tag: behind it, each start tag would be searched for one to the end of a hostile text.
 */
function replaced(xml: string, endTag: string, pattern: RegExp, by: (whole: string, part: string) => string): string {
  const end = xml.lastIndexOf(endTag)
  return end < 0 ? xml : xml.slice(0, end + endTag.length).replace(pattern, by) + xml.slice(end + endTag.length)
}
