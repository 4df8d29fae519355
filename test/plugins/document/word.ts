import { main, ooxml, relationships } from '../../fixtures/ooxml.ts'

/** Namespaces of the parts below. */
export const NAMESPACES = `xmlns:w="${main('wordprocessingml')}" xmlns:r="${relationships}"`

/** Other parts of a document: name, kind of relationship, the vendor's type if it is another one, content. */
export interface Part {
  name: string
  kind: string
  type?: string
  content: string | Buffer
}

/** A Word document with a body, and other parts, whose relationships have the ids `part1`, `part2`, … */
export const wordDocument = (body: string, parts: readonly Part[] = []): Promise<Buffer> =>
  ooxml({
    'word/document.xml': {
      type: 'wordprocessingml.document.main',
      content: `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
      links: parts.map(({ name, kind }, index) => [`part${index + 1}`, kind, name]),
    },
    ...Object.fromEntries(
      parts.map(({ name, kind, type = `wordprocessingml.${kind}`, content }) => [
        `word/${name}`,
        { content, ...(name.endsWith('.xml') && { type }) },
      ]),
    ),
  })

/** A paragraph with properties and words. */
export const paragraph = (words: string, properties = '', more = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${words}</w:t></w:r>${more}</w:p>`
