import { unescaped } from '../text/markup.ts'

/** A piece of text and its position on the page, in pixels from the top left. */
export interface Piece {
  x: number
  y: number
  width: number
  height: number
  /** Font size. */
  size: number
  /** The text as HTML, with bold, italics and links. */
  html: string
  text: string
}

/** An image on a page. */
export interface Picture {
  y: number
  width: number
  height: number
  src: string
}

export interface Page {
  width: number
  pieces: Piece[]
  pictures: Picture[]
}

const plain = (html: string) => unescaped(html.replace(/<[^>]*>/g, ''))

/** Removes control characters, which some fonts map to glyphs. */
const legible = (text: string) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '')

const attributes = (tag: string) =>
  Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))

/** Removes links within the document, whose targets are lost, and links to scripts. */
const linked = (html: string) =>
  html.replace(/<a href="(?!https?:|mailto:)[^"]*">([\s\S]*?)<\/a>/g, '$1').replace(/<(?!\/?(b|i|a)\b)[^>]*>/g, '')

/** Reads the output of `pdftohtml -xml`. It has one element per line, so patterns are enough. */
export function readPages(xml: string): Page[] {
  const sizes = new Map<string, number>()
  return legible(xml)
    .split(/<page\b/)
    .slice(1)
    .map((part) => {
      for (const [tag] of part.matchAll(/<fontspec\b[^>]*>/g)) {
        const { id = '', size } = attributes(tag)
        sizes.set(id, Number(size))
      }
      const { width } = attributes(part.slice(0, part.indexOf('>')))
      const pieces = [...part.matchAll(/<text\b([^>]*)>([\s\S]*?)<\/text>/g)].map(([, tag, inside]): Piece => {
        const { top, left, width, height, font = '' } = attributes(tag!)
        const html = linked(inside!)
        const place = { x: Number(left), y: Number(top), width: Number(width), height: Number(height) }
        return { ...place, size: sizes.get(font) ?? 10, html, text: plain(html) }
      })
      const pictures = [...part.matchAll(/<image\b[^>]*>/g)].map(([tag]): Picture => {
        const { top, width, height, src = '' } = attributes(tag)
        return { y: Number(top), width: Number(width), height: Number(height), src }
      })
      return { width: Number(width), pieces: pieces.filter(({ text }) => text.trim()), pictures }
    })
}
