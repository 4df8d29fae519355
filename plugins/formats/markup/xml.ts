import { books } from '../book.ts'
import { drawings } from '../drawing.ts'
import type { OwnFormat } from '../family.ts'
import { meshes } from '../model/models.ts'
import { sheets } from '../office/sheets.ts'
import { slides } from '../office/slides.ts'
import { texts } from '../office/texts.ts'
import { isHtmlElement } from './html.ts'
import { markups } from './markups.ts'
import { xmlRoot } from './xml-root.ts'

/** Formats by their root element. */
const ROOTS = Object.entries<OwnFormat>({
  ...drawings,
  ...books,
  ...meshes,
  ...markups,
  ...texts,
  ...sheets,
  ...slides,
}).flatMap(([extension, { xml }]) => (xml ? [{ extension, ...xml }] : []))

const DOCBOOK = /^(book|article|chapter|section|part|set|refentry|appendix|preface)$/

/** Identifies an XML document by its root. Without an XML declaration, the root must be known, or closed at the end. */
export function xmlFormat(text: string, tail: string, hint: string): string | undefined {
  const document = xmlRoot(text)
  if (!document) return /^\ufeff?\s*<\?xml\s/.test(text) ? 'xml' : undefined
  const { name, attributes, doctype, declared } = document
  const known = ROOTS.find((row) => row.root === name && (row.attributes?.test(attributes) ?? true))
  if (known) return known.extension
  if (name === 'html') {
    if (hint === 'html' || hint === 'xhtml') return hint
    return declared || /XHTML/i.test(doctype) ? 'xhtml' : 'html'
  }
  if (DOCBOOK.test(name) && (/docbook/i.test(attributes + doctype) || hint === 'dbk')) return 'dbk'
  const closed = tail.trimEnd().toLowerCase().endsWith(`${name}>`) && !isHtmlElement(name)
  return declared || closed || hint === 'xml' || attributes.includes(' xmlns') ? 'xml' : undefined
}
