const MARKS = /<(\/?)(w:p|w:txbxContent|mc:Fallback)(?=[\s/>])[^<>]*?(\/?)>/g
/** Most levels of text boxes in each other. Deeper ones stay where they are. */
const DEEPEST = 8

/**
 * Moves the text of text boxes in a Word document after the paragraphs that contain them, for readers that ignore text
 * boxes. Fallbacks repeat the text for older programs, and are not changed.
 */
export function lifted(xml: string, level = 1): string {
  let out = ''
  let at = 0
  const depth = { 'w:p': 0, 'w:txbxContent': 0, 'mc:Fallback': 0 }
  let box = 0
  let found: string[] = []
  for (const match of xml.matchAll(MARKS)) {
    const [mark, closing, , empty] = match
    const name = match[2] as keyof typeof depth
    if (empty || (depth['mc:Fallback'] > 0 && name !== 'mc:Fallback')) continue
    const inBox = depth['w:txbxContent'] > 0
    if (inBox && name !== 'w:txbxContent') continue
    depth[name] += closing ? -1 : 1
    const after = match.index + mark.length
    if (name === 'w:txbxContent' && !closing && !inBox) box = after
    else if (name === 'w:txbxContent' && closing && depth[name] === 0) {
      const text = xml.slice(box, match.index)
      found.push(level < DEEPEST ? lifted(text, level + 1) : text)
      out += xml.slice(at, box)
      at = match.index
    } else if (name === 'w:p' && closing && depth[name] === 0 && found.length) {
      out += xml.slice(at, after) + found.join('')
      at = after
      found = []
    }
  }
  return out + xml.slice(at)
}
