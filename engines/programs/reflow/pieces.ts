import { unescaped } from '../text/markup.ts'

/** A piece of text where it stands on its page, in pixels from the top left. */
export interface Piece {
  x: number
  y: number
  width: number
  height: number
  /** Size of its font. */
  size: number
  /** What it says, as HTML: bold, italics and links are kept. */
  html: string
  text: string
}

/** A picture on a page. */
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

/** Control characters that a font made of its glyphs. */
const legible = (text: string) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '')

const attributes = (tag: string) =>
  Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))

/** Links to places of the file itself lead nowhere in another one; scripts must not be in any. */
const linked = (html: string) =>
  html.replace(/<a href="(?!https?:|mailto:)[^"]*">([\s\S]*?)<\/a>/g, '$1').replace(/<(?!\/?(b|i|a)\b)[^>]*>/g, '')

/** Reads what `pdftohtml -xml` writes: its own XML, one element a line, so that patterns do. */
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
