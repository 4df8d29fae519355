import { attributesOf } from '../text/markup.ts'
import type { Member } from './members.ts'

const STRICT = 'http://purl.oclc.org/ooxml/'
/** Namespaces and relationships of strict documents (ECMA-376 part 1, annex A), and names that readers know. */
const NAME = /http:\/\/purl\.oclc\.org\/ooxml\/(\w+)\/(\w+)/g
const RENAMED: Readonly<Record<string, string>> = {
  extendedProperties: 'extended-properties',
  customProperties: 'custom-properties',
}

/** The content of a part, in the names of transitional documents. */
export function transitional({ name, content }: Member): Buffer {
  if (!/\.(xml|rels)$/i.test(name) || !content.includes(STRICT)) return content
  const known = content
    .toString()
    .replace(NAME, (_, area, part) => `http://schemas.openxmlformats.org/${area}/2006/${RENAMED[part] ?? part}`)
  return Buffer.from(known)
}

const ROOT = /<w:document(?=[\s>])[^<>]*>/
const DECLARED = /\sxmlns:([\w.-]+)\s*=\s*("[^"<]*"|'[^'<]*')/g
const AFTER = /(<\/w:drawing>|<\/w:pict>|<\/w:object>|<\/mc:AlternateContent>)(?=<w:(?:t|tab|br)[\s/>])/g
const BEFORE = /(<\/w:t>|<w:tab\/>|<w:br\/>)(?=<(?:w:drawing|w:pict|w:object|mc:AlternateContent)[\s>])/g

/**
 * A Word document with whole grids, in which each picture has a run of its own, because readers skip the words beside
 * it, and in which prefixes are declared at the root, so that paragraphs can be moved.
 */
export function legibleRuns(xml: string): string {
  const [root = ''] = ROOT.exec(xml) ?? []
  const own = new Set([...root.matchAll(DECLARED)].map(([, prefix]) => prefix))
  const added = new Map<string, string>()
  for (const [, prefix = '', value = ''] of xml.matchAll(DECLARED))
    if (!own.has(prefix) && !added.has(prefix)) added.set(prefix, value)
  const declarations = [...added].map(([prefix, value]) => ` xmlns:${prefix}=${value}`).join('')
  return gridded(xml)
    .replace(ROOT, (tag) => `${tag.slice(0, -1)}${declarations}>`)
    .replace(AFTER, '$1</w:r><w:r>')
    .replace(BEFORE, '$1</w:r><w:r>')
}

/**
 * A Word document in which each comment has a place in the text. Readers ask for its beginning, which not all programs
 * write.
 */
export function anchored(xml: string): string {
  if (!xml.includes('<w:commentReference')) return xml
  const begun = new Set([...xml.matchAll(/<w:commentRangeStart\s[^<>]*w:id="(\d+)"/g)].map(([, id]) => id))
  return xml.replace(
    /<w:r(?=[\s>])(?:(?!<w:r[\s>])[\s\S]){0,2000}?<w:commentReference\s[^<>]*w:id="(\d+)"/g,
    (run, id) => (begun.has(id) ? run : `<w:commentRangeStart w:id="${id}"/><w:commentRangeEnd w:id="${id}"/>${run}`),
  )
}

const FIELD = /<w:fldSimple(?=[\s>])([^<>]*)>|<\/w:fldSimple>/g
const END = '</w:p>'
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`

/** A Word document whose fields are all in their long form: readers leave out the results of others. */
export function longFields(xml: string): string {
  return xml.replace(FIELD, (tag, attributes) => {
    if (attributes === undefined) return mark('end')
    if (tag.endsWith('/>')) return ''
    const instruction = attributesOf(attributes).get('w:instr') ?? ''
    return `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}`
  })
}

/**
 * A Word document in which only captions above their tables are known for captions, by their field: pandoc takes them
 * out of the text, and gives each to the first table that has none yet.
 */
export function captioned(xml: string): string {
  let tables = 0
  let captions = 0
  let end = 0
  return xml.replace(/<w:tbl>|(<w:instrText(?:\s[^<>]*)?>)\s*SEQ\s[^<]*/g, (whole, start, offset) => {
    if (!start) {
      tables++
      return whole
    }
    if (end >= 0 && end < offset) end = xml.indexOf(END, offset)
    const isAbove = end >= 0 && tables === captions && xml.startsWith('<w:tbl>', end + END.length)
    if (isAbove) captions++
    return isAbove ? whole : start
  })
}

/** A Word document whose tables have a grid of all their columns: readers leave out cells beyond it. */
const gridded = (xml: string) =>
  xml
    .split(/(?=<w:tbl>)|(?<=<\/w:tbl>)/)
    .map(withGrid)
    .join('')

/** One that holds others stays as it is. */
function withGrid(part: string): string {
  const [start = '', ...rows] = /^<w:tbl>.*<\/w:tbl>$/s.test(part) ? part.split(/(?=<w:tr[\s>])/) : [part]
  const cells = rows.map((row) => [...row.matchAll(/<w:tc[\s>]|<w:gridSpan\s[^<>]*w:val="(\d{1,2})"/g)])
  const most = Math.max(0, ...cells.map((row) => row.reduce((sum, [, span]) => sum + (span ? +span - 1 : 1), 0)))
  if ((start.match(/<w:gridCol\s[^<>]*w:w="\d/g)?.length ?? 0) >= most) return part
  const grid = `<w:tblGrid>${'<w:gridCol w:w="1"/>'.repeat(most)}</w:tblGrid>`
  const [head = '', ...inside] = start.replace(/<w:tblGrid\s*\/>/, '').split('<w:tblGrid>')
  const after = inside.join('').split('</w:tblGrid>').at(-1) ?? ''
  return head + after + grid + rows.join('')
}
