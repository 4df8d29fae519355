import { epub, html, markdown } from './html.ts'
import { flat, opendocument } from './opendocument.ts'
import { pdf, plain } from './pages.ts'
import { word } from './word.ts'
import type { Reader } from './writing.ts'

/** Readers of text documents by format: none of them is a program that the service writes with. */
export const documents: Readonly<Record<string, Reader>> = {
  docx: word,
  docm: word,
  dotx: word,
  odt: opendocument,
  ott: opendocument,
  fodt: flat,
  html,
  md: markdown,
  epub,
  pdf,
  txt: plain,
}
