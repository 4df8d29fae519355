import { ocrSettings } from '../../engines/ocr.ts'
import type { Plugin } from '../../kernel/contract.ts'

/** Options of document targets. */
export interface DocumentOptions {
  metadata?: 'remove' | 'keep'
}

/** Targets that have metadata such as a title or an author. */
const described = [
  'pdf',
  'ocr.pdf',
  'pdfa.pdf',
  'docx',
  'doc',
  'docm',
  'dotx',
  'dot',
  'odt',
  'ott',
  'fodt',
  'rtf',
  'html',
  'xhtml',
  'md',
  'md.zip',
  'rst',
]
const structured = ['org', 'tex', 'adoc', 'dbk', 'ipynb', 'opml', 'jats.xml', 'icml']
const office = ['ps', 'xlsx', 'xls', 'xlsm', 'ods', 'fods', 'pptx', 'ppt', 'pptm', 'ppsx', 'pps', 'potx', 'odp', 'fodp']

export const options: Plugin<DocumentOptions>['options'] = {
  metadata: {
    title: 'Metadata',
    type: 'string',
    enum: ['remove', 'keep'],
    default: 'keep',
    effect: [...described, ...structured, ...office],
    description:
      'remove strips title, author, creator and subject, and clears keywords, company, custom properties and XMP; keep preserves them.',
  },
}

/** Settings in the configuration. */
export interface Settings {
  ocr: { languages: readonly string[] }
}

/** Their schema. `ocr` is a section of the configuration file that several plugins share. */
export const settings = {
  properties: { ocr: ocrSettings },
}
