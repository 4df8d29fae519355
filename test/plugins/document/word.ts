import { zipped } from '../../fixtures/zip.ts'

const openxml = 'http://schemas.openxmlformats.org'
const office = `${openxml}/officeDocument/2006/relationships`
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** Namespaces of the parts below. */
export const NAMESPACES = `xmlns:w="${openxml}/wordprocessingml/2006/main" xmlns:r="${office}"`

/** Other parts of a document: name, kind of relationship, content type or extension, content. */
export interface Part {
  name: string
  kind: string
  type?: string
  content: string | Buffer
}

/** A Word document with a body, and other parts, whose relationships have the ids `part1`, `part2`, … */
export function wordDocument(body: string, parts: readonly Part[] = []): Promise<Buffer> {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  const overrides = parts.map(({ name, kind, type = `${main}.${kind}+xml` }) =>
    name.endsWith('.xml') ? `<Override PartName="/word/${name}" ContentType="${type}"/>` : '',
  )
  const related = parts.map(
    ({ name, kind }, index) => `<Relationship Id="part${index + 1}" Type="${office}/${kind}" Target="${name}"/>`,
  )
  const relationships = (content: string) =>
    `${DECLARATION}<Relationships xmlns="${openxml}/package/2006/relationships">${content}</Relationships>`
  return zipped({
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${openxml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="emf" ContentType="image/x-emf"/><Default Extension="wmf" ContentType="image/x-wmf"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relationships(
      `<Relationship Id="main" Type="${office}/officeDocument" Target="word/document.xml"/>`,
    ),
    'word/document.xml': `${DECLARATION}<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships(related.join('')),
    ...Object.fromEntries(
      parts.map(({ name, content }) => [
        `word/${name}`,
        typeof content === 'string' ? `${DECLARATION}${content}` : content,
      ]),
    ),
  })
}

/** A paragraph with properties and words. */
export const paragraph = (words: string, properties = '', more = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${words}</w:t></w:r>${more}</w:p>`
