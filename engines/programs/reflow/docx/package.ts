import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { escaped } from '../../text/markup.ts'
import type { Document, Paragraph } from '../model.ts'
import { sectionBody, sectionProperties } from './body.ts'
import { collect } from './parts.ts'
import { numbering, styles } from './styles.ts'
import type { Parts } from './text.ts'
import { paragraph, twips } from './text.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const NAMESPACES = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"`
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** What describes the document. */
export interface Facts {
  title?: string
  author?: string
  subject?: string
  keywords?: string
}

/** Parts of the package that are always there: their names, kinds of relationship, and media types. */
const PARTS = ['styles', 'numbering', 'footnotes', 'settings', 'header', 'footer'] as const

function body(document: Document, parts: Parts): string {
  const { sections } = document
  return sections
    .map((section, index) => {
      const properties = sectionProperties(section, document, index === 0)
      const text = sectionBody(section, parts)
      return index < sections.length - 1
        ? `${text}<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>${properties}</w:pPr></w:p>`
        : text + properties
    })
    .join('\n')
}

/** A header or footer, whose parts are at the left, the middle and the right. */
function edge(tag: string, list: readonly Paragraph[], parts: Parts, { sections: [section] }: Document): string {
  const room = section ? section.width - section.margins[0] - section.margins[2] : 450
  const lines = list.map((block) => {
    const count = block.spans.filter(({ text }) => text === '\t').length
    const middle = count > 1 ? `<w:tab w:val="center" w:pos="${twips(room / 2)}"/>` : ''
    const tabs = count > 0 ? `<w:tabs>${middle}<w:tab w:val="right" w:pos="${twips(room)}"/></w:tabs>` : ''
    return paragraph(block, parts, 0, '', tabs)
  })
  return `<w:${tag} ${NAMESPACES}>${lines.join('') || '<w:p/>'}</w:${tag}>`
}

/** The part of an office package that describes it. */
export function coreProperties({ title, author, subject, keywords }: Facts): string {
  const one = (tag: string, value: string | undefined) => (value ? `<${tag}>${escaped(value)}</${tag}>` : '')
  return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${one('dc:title', title)}${one('dc:subject', subject)}${one('dc:creator', author)}${one('cp:keywords', keywords)}</cp:coreProperties>`
}

/** The part of an office package that says what another part refers to. */
export const relationships = (
  list: readonly (readonly [id: string, type: string, target: string, external?: boolean])[],
) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target, external]) => `<Relationship Id="${id}" Type="${type}" Target="${escaped(target).replaceAll('"', '&quot;')}"${external ? ' TargetMode="External"' : ''}/>`).join('')}</Relationships>`

/** Writes a document as DOCX. `pathOf` finds pictures by their names. */
export async function writeDocx(
  document: Document,
  facts: Facts,
  pathOf: (src: string) => string,
  output: string,
): Promise<void> {
  const parts = collect(document.font, document.size)
  const text = `<w:document ${NAMESPACES}><w:body>${body(document, parts)}</w:body></w:document>`
  // Links of headers and footers would need relationships of their own.
  const unlinked = (list: readonly Paragraph[]) =>
    list.map((block) => ({ ...block, spans: block.spans.map(({ href: _, ...span }) => span) }))
  const separator = (id: number, tag: string) =>
    `<w:footnote w:type="${tag}" w:id="${id}"><w:p><w:r><w:${tag}/></w:r></w:p></w:footnote>`
  const files: Record<string, string> = {
    'word/document.xml': text,
    'word/styles.xml': styles(document),
    'word/numbering.xml': numbering(parts.starts),
    'word/footnotes.xml': `<w:footnotes ${NAMESPACES}>${separator(0, 'separator')}${separator(1, 'continuationSeparator')}${parts.notes.join('')}</w:footnotes>`,
    'word/settings.xml': `<w:settings ${NAMESPACES}><w:footnotePr><w:footnote w:id="0"/><w:footnote w:id="1"/></w:footnotePr><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
    'word/header.xml': edge('hdr', unlinked(document.header), parts, document),
    'word/footer.xml': edge('ftr', unlinked(document.footer), parts, document),
    'docProps/core.xml': coreProperties(facts),
  }
  const pictures = [...parts.pictures].map(([src, id]) => ({ src, id, name: `media/${id}${extname(src)}` }))
  const types = PARTS.map((name) => `<Override PartName="/word/${name}.xml" ContentType="${WORD}.${name}+xml"/>`).join(
    '',
  )
  files['[Content_Types].xml'] =
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/>${types}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
  files['_rels/.rels'] = relationships([
    ['document', `${OFFICE}/relationships/officeDocument`, 'word/document.xml'],
    [
      'core',
      'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
      'docProps/core.xml',
    ],
  ])
  files['word/_rels/document.xml.rels'] = relationships([
    ...PARTS.map((name) => [name, `${OFFICE}/relationships/${name}`, `${name}.xml`] as const),
    ...pictures.map(({ id, name }) => [id, `${OFFICE}/relationships/image`, name] as const),
    ...[...parts.links].map(([href, id]) => [id, `${OFFICE}/relationships/hyperlink`, href, true] as const),
  ])
  const zip = new ZipFile()
  // Programs look for this part first.
  for (const name of Object.keys(files).sort())
    zip.addBuffer(Buffer.from(DECLARATION + files[name]), name, { mode: 0o100644 })
  for (const { src, name } of pictures) zip.addFile(pathOf(src), `word/${name}`, { compress: false, mode: 0o100644 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(output))
}
