const START = /<coverpage\s*>/
const END = '</coverpage>'
const BODY = /<body(?:\s[^<>]*)?>/

/** Puts the cover of a FictionBook, which pandoc takes for metadata, at the start of its text. */
export function placedCover(book: string): string {
  const at = START.exec(book)
  const end = at ? book.indexOf(END, at.index) : -1
  if (!at || end < 0) return book
  const rest = book.slice(end + END.length)
  const body = BODY.exec(rest)
  if (!body) return book
  const [picture = ''] = /<(?:\w+:)?image\s[^<>]*\/>/.exec(book.slice(at.index, end)) ?? []
  const text = body.index + body[0].length
  return book.slice(0, at.index) + rest.slice(0, text) + picture + rest.slice(text)
}
