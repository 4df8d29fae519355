/**
 * Makes an HTML page that shows a drawing with parts in HTML, on paper of its size: `browsed.ts INPUT OUTPUT TITLE`.
 * With `large` behind it, small drawings are on larger paper: browsers round its size to whole units.
 * Refuses other drawings, and those whose size depends on their content. A browser runs no scripts in a picture, and
 * loads no other files for it.
 */
import { writeFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { refuse } from '../refusal/refusal.ts'
import { unnamed } from '../text/entities.ts'
import { page } from '../text/markup.ts'
import { withNamespaces } from './mended.ts'
import { read } from './read.ts'
import { sizeOf, withFirst, withSize } from './size.ts'
import { hasHtml } from './unsupported.ts'

/** Elements inside each other that a drawing may have as XML: saxes looks through all of them for each name. */
const MAX_DEPTH = 500

/** Thrown by {@link isWellFormed} to leave the parser. */
class NotWellFormed extends Error {}

const [input, output, title, large] = process.argv.slice(2) as [string, string, string, string?]
const drawing = read(input)
if (!hasHtml(drawing)) refuse('The drawing has no parts in HTML')
// Boxes for text fit the fonts of the machine that made the drawing, which are often wider here.
const ROOM = '<style xmlns="http://www.w3.org/2000/svg">foreignObject{overflow:visible}</style>'
const text = withFirst(withSize(withNamespaces(unnamed(drawing.toString()))), ROOM)
const [width, height] = sizeOf(text) ?? refuse('The drawing tells no size')
const size = `width:${width}px;height:${height}px`
const times = large ? Math.max(1, Math.floor(2000 / Math.max(width, height))) : 1
const paper = `@page{size:${width * times}px ${height * times}px;margin:0}html{zoom:${times}}`
const style = `<style>${paper}html,body{margin:0}body>*{display:block;${size}}</style>`
writeFileSync(
  output,
  page(
    isWellFormed(text) ? `<img src="data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}">` : text,
    style,
    title,
  ),
)

/** Whether it is XML. A browser reads other drawings as a part of a page: programs write HTML into them as it is. */
function isWellFormed(xml: string): boolean {
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  parser.on('opentag', () => {
    if (++depth > MAX_DEPTH) throw new NotWellFormed('too many elements inside each other')
  })
  parser.on('closetag', () => {
    depth--
  })
  parser.on('error', ({ message }) => {
    throw new NotWellFormed(message)
  })
  try {
    parser.write(xml).close()
    return true
  } catch (error) {
    if (error instanceof NotWellFormed) return false
    throw error
  }
}
