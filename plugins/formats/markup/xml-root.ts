export interface Root {
  /** Local name in lower case. */
  name: string
  /** Attributes of the start tag. */
  attributes: string
  doctype: string
  /** Whether there is an XML declaration. */
  declared: boolean
}

/** The root element of an XML document, after declaration, comments and document type. One pass for any input. */
export function xmlRoot(text: string): Root | undefined {
  let at = 0
  let doctype = ''
  let declared = false
  for (;;) {
    while (at < text.length && /\s|\ufeff/.test(text[at]!)) at++
    if (text[at] !== '<') return undefined
    let end: number
    if (text.startsWith('<?', at)) {
      if (/^<\?xml\s/i.test(text.slice(at, at + 6))) declared = true
      else if (!declared && !text.startsWith('<?xml-', at)) return undefined
      end = text.indexOf('?>', at)
      if (end >= 0) end += 2
    } else if (text.startsWith('<!--', at)) {
      end = text.indexOf('-->', at + 4)
      if (end >= 0) end += 3
    } else if (text.startsWith('<!', at)) {
      end = endOfDoctype(text, at)
      doctype = text.slice(at, Math.min(end < 0 ? text.length : end, at + 1024))
    } else break
    if (end < 0) return undefined
    at = end
  }
  const name = /^<([A-Za-z_][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63})(?=[\s/>]|$)/.exec(text.slice(at, at + 160))?.[2]
  if (!name) return undefined
  const close = text.indexOf('>', at)
  return {
    name: name.toLowerCase(),
    attributes: text.slice(at, close < 0 ? at + 16_384 : Math.min(close, at + 16_384)),
    doctype,
    declared,
  }
}

/** Where a document type ends. Quotes can contain brackets, and an internal subset can contain declarations. */
function endOfDoctype(text: string, start: number): number {
  let quote = ''
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (quote) {
      if (char === quote) quote = ''
    } else if (text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at)
      if (at < 0) return -1
    } else if (char === '"' || char === "'") quote = char
    else if (char === '[') depth++
    else if (char === ']') depth--
    else if (char === '>' && depth <= 0) return at + 1
  }
  return -1
}
