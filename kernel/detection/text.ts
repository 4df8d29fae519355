import { decodeText, namedText } from './charset.ts'
import { guessText } from './guess.ts'
import { isJson, jsonFormat } from './json.ts'
import { marked } from './marks.ts'
import type { Source } from './peek.ts'
import { isHtml, xmlFormat } from './xml.ts'

/** Formats of text that nothing marks: the name decides. */
const UNMARKED = new Set(['txt', 'csv', 'tsv', 'md', 'rst', 'org', 'tex', 'adoc', 'textile', 'wiki', 'yaml', 'scad'])

/** Further names that only text has. */
const MARKED = new Set(['html', 'xhtml', 'xml', 'json', 'eml', 'fb2', 'opml', 'dbk', 'srt'])

/** Names that say nothing about a text, or that tables are often given by mistake. */
const VAGUE = new Set(['', 'bin', 'dat', 'data', 'tmp', 'file', 'download', 'xls', 'xlsx', 'ods'])

/** The head as text; undefined when the bytes are not text. */
export const readText = (file: Source): string | undefined => decodeText(file.head, file.size <= file.head.length)

/** A text behind whose last line a program left zeros: whole, and more text than zeros. */
export function readPadded({ head, size }: Source): string | undefined {
  const end = head.indexOf(0)
  const isPadded = size === head.length && end > size / 2 && head.subarray(end).every((byte) => byte === 0)
  return isPadded ? decodeText(head.subarray(0, end), true) : undefined
}

/** A line or two in an 8-bit or East Asian set, too short to be told from other bytes, in a file that is named a text. */
export const readBrief = ({ head }: Source, hint: string): string | undefined =>
  UNMARKED.has(hint) || MARKED.has(hint) ? namedText(head) : undefined

/**
 * Tells what a text is: by a mark, as XML, HTML or JSON, by a name that text can have, without a name by what its lines
 * look like.
 * `textual`: further extensions that a text may claim by name.
 */
export async function textFormat(file: Source, text: string, hint: string, textual?: ReadonlySet<string>) {
  if (!text) return undefined
  if (!text.trim()) return UNMARKED.has(hint) ? hint : undefined
  const whole = file.size <= file.head.length
  const tail = whole ? text : (await file.read(file.size - 4096, 4096)).toString('latin1')

  const byMark = marked(text, hint)
  if (byMark) return byMark
  const xml = xmlFormat(text, tail, hint)
  if (xml && xml !== 'html') return xml
  if (xml || isHtml(text, hint === 'html' || hint === 'xhtml')) {
    // What programs of the web call a worksheet, and what Excel opens as one.
    if (hint === 'xls' && /<table[\s>]/i.test(text)) return 'xls'
    return hint === 'xhtml' ? hint : 'html'
  }
  if (hint === 'xls' && /^\s*(<meta[^>]{0,500}>\s*)?<table[\s>]/i.test(text)) return 'xls'
  if (isJson(text, whole) || (hint === 'json' && /^\ufeff?\s*[{[]/.test(text))) return jsonFormat(text, tail)
  if (UNMARKED.has(hint) || textual?.has(hint)) return hint
  return VAGUE.has(hint) ? guessText(text) : 'txt'
}
