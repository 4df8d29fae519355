import type { Look } from '../../../kernel/contract.ts'

/**
 * PDF, if the mark is within the first kilobyte (ISO 32000-1 annex H.3.4.1). After junk, the end must be that of a PDF.
 */
export const portableDocument: Look = async (file, hint) => {
  const at = file.head.subarray(0, 1024 + 5).indexOf('%PDF-')
  if (at < 0) return undefined
  if (file.head.toString('latin1', 0, at).trim().length > 0) {
    const tail = await file.read(Math.max(at, file.size - 2048), 2048)
    if (!tail.includes('%%EOF') && !tail.includes('startxref')) return undefined
  }
  return hint === 'ai' ? 'ai' : 'pdf'
}

const PRINTER_JOB = /^(\x04|\x1b%-12345X|@PJL[^\n]*\n|\s)+/

/**
 * PostScript, also after printer job language. The first line marks EPS; Illustrator files are told by name and mark.
 */
export const postScript: Look = ({ head }, hint) => {
  const start = head
    .toString('latin1', 0, 8192)
    .replace(/^\xef\xbb\xbf/, '')
    .replace(PRINTER_JOB, '')
  if (!start.startsWith('%!') || /^%!(PS-AdobeFont|FontType1)/.test(start)) return undefined
  const line = /^[^\r\n]{0,200}/.exec(start)![0]
  if (/ PDF-\d/.test(line)) return 'pdf'
  if (hint === 'ai') return 'ai'
  return / EPSF-/.test(line) ? 'eps' : 'ps'
}
