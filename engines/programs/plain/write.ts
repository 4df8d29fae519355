/** Rewrites a text in UTF-8: `write.ts INPUT OUTPUT [--unnamed] [--xhtml] [--complete] [--jats] [--wiki] [--title TITLE]`. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { decoded } from '../text/decoded.ts'
import { unnamed } from '../text/entities.ts'
import { complete } from './complete.ts'
import { framed } from './head.ts'
import { markedEmphasis, placedNotes } from './marks.ts'
import { htmlOf } from './xhtml.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unnamed: { type: 'boolean' },
    xhtml: { type: 'boolean' },
    complete: { type: 'boolean' },
    jats: { type: 'boolean' },
    wiki: { type: 'boolean' },
    title: { type: 'string' },
  },
})
const [input, output] = positionals as [string, string]
const DECLARED = /(<\?xml[^>]{0,200}encoding=["'])[\w-]+|(<meta[^>]{0,200}charset=["']?\s*)[\w-]+/gi
const text = decoded(await readFile(input)).replace(/^\ufeff/, '')
const head = text.slice(0, 8192).replace(DECLARED, (_, xml, page) => `${xml ?? page}utf-8`)
const said = head + text.slice(8192)
const page = values.xhtml ? htmlOf(said) : said
const html = values.complete ? complete(page) : marked(page)
// Browsers take a page that declares no character set for Windows-1252.
const isSilent = /^\s*(<!doctype html|<html)/i.test(html) && !/charset/i.test(html.slice(0, 8192))
const whole = isSilent || values.title !== undefined ? framed(html, values.title ?? '') : html
await writeFile(output, values.unnamed ? unnamed(whole) : whole)

function marked(markup: string): string {
  if (values.jats) return placedNotes(markup)
  return values.wiki ? markedEmphasis(markup) : markup
}
