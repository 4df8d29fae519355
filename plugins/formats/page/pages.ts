import type { Family } from '../family.ts'

const isPdf = (head: Uint8Array) => Buffer.from(head.subarray(0, 1029)).includes('%PDF-')

/** Formats with fixed pages. */
export const pages = {
  pdf: {
    mime: 'application/pdf',
    wanted: ['docx', 'jpg', 'png', 'txt', 'html', 'epub', 'odt', 'rtf', 'svg', 'tif', 'md', 'mobi'],
  },
  // Targets only: an upload of one is a PDF.
  'ocr.pdf': { mime: 'application/pdf', label: 'Searchable PDF', holds: isPdf },
  'pdfa.pdf': { mime: 'application/pdf', label: 'PDF/A', holds: isPdf },
  ps: {
    mime: 'application/postscript',
    label: 'PostScript',
    wanted: ['pdf', 'png', 'jpg', 'svg', 'eps', 'tif'],
  },
  xps: {
    mime: 'application/oxps',
    aliases: ['oxps'],
    zip: { main: ['fixeddocumentsequence+xml'] },
    wanted: ['pdf', 'png', 'jpg', 'txt', 'docx'],
  },
  djvu: {
    mime: 'image/vnd.djvu',
    label: 'DjVu',
    aliases: ['djv'],
    signatures: ['AT&TFORM'],
    wanted: ['pdf', 'png', 'jpg', 'tif', 'txt', 'epub'],
  },
} satisfies Family
