import { join } from 'node:path'
import { office } from '../../fixtures/office.ts'
import type { Specimen } from '../family.ts'
import { inFile, saved, specimen } from '../saved.ts'
import { leaf, log, report, reportBy } from './document-report.ts'

const without = (truth: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(truth).filter(([name]) => !names.includes(name)))

/** By LibreOffice, of the report by pandoc. */
const byLibreOffice = (format: string, filter: string, ...lost: string[]) =>
  specimen(
    `office.${format}`,
    async (output, scratch) =>
      office(await reportBy(join(scratch, 'report.docx'), scratch), output, scratch, `${format}:${filter}`),
    without(report, ...lost),
  )
/** By LibreOffice, of the page with a picture. */
const leafBy = (format: string, filter: string) =>
  specimen(
    `leaf.${format}`,
    (output, scratch) => office(saved('document/hand.fodt'), output, scratch, `${format}:${filter}`),
    leaf,
  )
const plain = ['headings', 'lists', 'tables', 'links', 'bold', 'italic']

/** Specimens of text documents. */
export const documentSpecimens: readonly Specimen[] = [
  byLibreOffice('docx', 'MS Word 2007 XML'),
  leafBy('docx', 'MS Word 2007 XML'),
  byLibreOffice('doc', 'MS Word 97'),
  byLibreOffice('odt', 'writer8'),
  leafBy('odt', 'writer8'),
  byLibreOffice('rtf', 'Rich Text Format'),
  // The note is as large as the text.
  byLibreOffice('pdf', 'writer_pdf_Export', 'notes'),
  leafBy('pdf', 'writer_pdf_Export'),
  specimen('pandoc.md', reportBy, report),
  inFile('document', 'underlined.md', { ...log, title: 'Log', author: 'Ida Storm' }),
  inFile('document', 'page.html', { ...log, title: 'Log', author: 'Ida Storm' }),
  inFile('document', 'dos.txt', without(log, ...plain)),
  // Word 2003 in XML.
  inFile('document', 'wordml.doc', without(log, 'headings', 'lists', 'links', 'bold', 'italic')),
]
