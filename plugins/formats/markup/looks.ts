import type { Look } from '../../../kernel/contract.ts'
import { guessText } from './guess.ts'
import { isHtml } from './html.ts'
import { isJson, jsonFormat } from './json.ts'
import { markups } from './markups.ts'
import { xmlFormat } from './xml.ts'

/** Extensions that say nothing about a text, or that text tables often have by mistake. */
const VAGUE = new Set(['', 'bin', 'dat', 'data', 'tmp', 'file', 'download', 'xls', 'xlsx', 'ods'])

/** XML formats with a characteristic beginning. */
export const markedXml: Look = ({ head }) => {
  if (markups['jats.xml'].sniff(head)) return 'jats.xml'
  return markups.icml.sniff(head) ? 'icml' : undefined
}

/** XML by its root, and HTML. */
export const xmlAndHtml: Look = ({ text }, hint) => {
  if (!text) return undefined
  const xml = xmlFormat(text.start, text.tail, hint)
  if (xml && xml !== 'html') return xml
  // Web applications export HTML tables as worksheets, and Excel opens them.
  const isSheet = hint === 'xls'
  if (xml || isHtml(text.start, hint === 'html' || hint === 'xhtml')) {
    if (isSheet && /<table[\s>]/i.test(text.start)) return hint
    return hint === 'xhtml' ? hint : 'html'
  }
  return isSheet && /^\s*(<meta[^>]{0,500}>\s*)?<table[\s>]/i.test(text.start) ? hint : undefined
}

/** JSON, and formats based on it. */
export const json: Look = ({ text }, hint) => {
  if (!text) return undefined
  const named = hint === 'json' && /^\ufeff?\s*[{[]/.test(text.start)
  return isJson(text.start, text.whole) || named ? jsonFormat(text.start, text.tail) : undefined
}

/** Guesses the format of a text with a vague name. Any other text is plain. */
export const guess: Look = ({ text }, hint) => text && (VAGUE.has(hint) ? guessText(text.start) : 'txt')
