import { decoded } from '../text/decoded.ts'
import { unnamed } from '../text/entities.ts'
import { complete } from './complete.ts'
import { framed } from './head.ts'
import { markedEmphasis, placedNotes } from './marks.ts'
import { htmlOf } from './xhtml.ts'

/** How a text is rewritten: the arguments of the program `plain`. */
interface How {
  unnamed?: boolean
  xhtml?: boolean
  complete?: boolean
  jats?: boolean
  wiki?: boolean
  title?: string
}

const DECLARED = /(<\?xml[^>]{0,200}encoding=["'])[\w-]+|(<meta[^>]{0,200}charset=["']?\s*)[\w-]+/gi

/** Returns a text, in any character set, as `plain` rewrites it. */
export function rewritten(bytes: Buffer, how: How): string {
  const text = decoded(bytes).replace(/^\ufeff/, '')
  const head = text.slice(0, 8192).replace(DECLARED, (_, xml, page) => `${xml ?? page}utf-8`)
  const said = head + text.slice(8192)
  const page = how.xhtml ? htmlOf(said) : said
  const html = how.complete ? complete(page) : marked(page, how)
  // Browsers take a page that declares no character set for Windows-1252.
  const isSilent = /^\s*(<!doctype html|<html)/i.test(html) && !/charset/i.test(html.slice(0, 8192))
  const whole = isSilent || how.title !== undefined ? framed(html, how.title ?? '') : html
  return how.unnamed ? unnamed(whole) : whole
}

function marked(markup: string, { jats, wiki }: How): string {
  if (jats) return placedNotes(markup)
  return wiki ? markedEmphasis(markup) : markup
}
